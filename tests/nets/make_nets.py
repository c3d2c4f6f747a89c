#!/usr/bin/env python3
"""Writes the test networks whose expected outputs are in outputs.tsv. Random weights, nobody's rights.

    make_nets.py FOLDER [NAME ...]      Python 3.9 or later; without names, all but the largest

Hashes and texts are wrong on purpose, padding bytes are random,
some rows have values of two bytes. make_nets.py prints the md5 of each file beside the expected one."""
import hashlib, os, random, struct, sys
from array import array

SQ=81; FE=1548; EK=1629; FE2=1710
def leb_block(vals_bytes): return b'COMPRESSED_LEB128'+struct.pack('<I',len(vals_bytes))+vals_bytes
def sleb(v):
    out=bytearray()
    while True:
        b=v&0x7f; v>>=7
        if (v==0 and not b&0x40) or (v==-1 and b&0x40): out.append(b); return bytes(out)
        out.append(b|0x80)
def pad(n): return (n+31)//32*32
def affine(f,r,i,o,wm,bm):
    f.write(struct.pack('<%di'%o,*[r.randint(-bm,bm) for _ in range(o)]))
    P=pad(i)
    for _ in range(o): f.write(bytes((r.randint(-wm,wm)&255) for _ in range(P)))   # random padding bytes too
def header(f,h,arch):
    a=arch.encode(); f.write(struct.pack('<III',0x7AF32F16,h,len(a))+a)
def plain(path,seed,arch,dims,N,H1,H2):
    r=random.Random(seed); f=open(path,'wb'); header(f,0x12345678,arch)
    f.write(struct.pack('<I',0))
    f.write(struct.pack('<%dh'%N,*[r.randint(-20,120) for _ in range(N)]))
    tab=array('h',[r.randint(-18,18) for _ in range(1<<16)]).tobytes(); L=len(tab)//2
    buf=bytearray()
    for i in range(dims):
        o=r.randrange(L-N)*2; buf+=tab[o:o+2*N]
        if len(buf)>1<<22: f.write(buf); buf=bytearray()
    f.write(buf); f.write(struct.pack('<I',0))
    affine(f,r,2*N,H1,20,3000); affine(f,r,H1,H2,60,3000); affine(f,r,H2,1,90,3000); f.close()
def sfnn(path,seed,arch,dims,N,H1,H2,stacks,progress):
    r=random.Random(seed); f=open(path,'wb'); header(f,0x12345678,arch)
    f.write(struct.pack('<I',0))
    f.write(leb_block(b''.join(sleb(r.randint(-20,130)) for _ in range(N))))
    tr=bytes((((b%37)-18)&0x7f) for b in range(256))
    tab=r.randbytes(1<<18).translate(tr); L=len(tab)
    # the last rows get two-byte values, to exercise LEB128
    rows=[]
    f.write(b'COMPRESSED_LEB128'); at=f.tell(); f.write(b'\0\0\0\0'); n=0
    buf=bytearray()
    for i in range(dims):
        if i%50==7: row=b''.join(sleb(r.randint(-200,200)) for _ in range(N))
        else: o=r.randrange(L-N); row=tab[o:o+N]
        buf+=row; n+=len(row)
        if len(buf)>1<<22: f.write(buf); buf=bytearray()
    f.write(buf); f.seek(at); f.write(struct.pack('<I',n)); f.seek(0,2)
    if progress:
        f.write(struct.pack('<I',0)); f.write(struct.pack('<i',r.randint(-30000,30000)))
        t=array('i',[r.randint(-9000,9000) for _ in range(1<<15)]).tobytes()
        for k in range(SQ):
            o=r.randrange((1<<15)-FE)*4; f.write(t[o:o+4*FE])
    out=H1+(1 if H1%8==7 else 0)
    for s in range(stacks):
        f.write(struct.pack('<I',0)); affine(f,r,N,out,14,4000); affine(f,r,2*H1,H2,60,3000); affine(f,r,H2,1,90,3000)
    f.close()

NETS = {   # name: (writer, arguments, md5)
    'halfkp_64x2-16-32': (plain, (51, 'Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32]', 125388, 64, 16, 32)),
    'halfkpvm_64x2-8-32': (plain, (11, 'Features=HalfKP_vm(Friend)[69660->64x2],Network=x', 69660, 64, 8, 32)),
    'halfkpe9_32x2-8-32': (plain, (41, 'x', 1128492, 32, 8, 32)),
    'SFNN_halfkahm2_256_15_32_k3k3': (sfnn, (21, 'Features=HalfKA(Friend)[1->1x2],Network=wrong', 73305, 256, 15, 32, 9, 0)),
    'SFNN_halfka2_256_7_64_k3k3': (sfnn, (61, 'Features=HalfKA(Friend)[131949->256x2],Network=AffineTransform[7<-2048]', 131949, 256, 7, 64, 9, 0)),
    'SFNN_ka2_640_7_64_c128_s64x8_hand4_k3k3_progress4': (sfnn, (31, 'x', 1791, 640, 7, 64, 144, 4)),
}
LARGE = {'halfkpe9_32x2-8-32'}

def main():
    folder, names = sys.argv[1], sys.argv[2:] or [n for n in NETS if n not in LARGE]
    here = os.path.dirname(os.path.abspath(__file__))
    want = dict(l.split('\t')[:2] for l in open(os.path.join(here, 'md5.tsv')).read().splitlines())
    os.makedirs(folder, exist_ok=True)
    for n in names:
        write, args = NETS[n]
        path = os.path.join(folder, n + '.bin')
        write(path, *args)
        md5 = hashlib.md5(open(path, 'rb').read()).hexdigest()
        print(path, md5, 'as expected' if md5 == want.get(n) else f'expected {want.get(n)}')

main()
