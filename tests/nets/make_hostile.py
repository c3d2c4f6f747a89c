#!/usr/bin/env python3
"""Writes files that are no networks, or damaged ones, and prints for each its name, a tab, and the error that
the program must report.

    make_hostile.py FOLDER PLAIN SFNN PROGRESS      three networks written by make_nets.py: a plain one, an SFNN, and
                                                    an SFNN with a section of progress"""
import os, struct, sys

folder, plain, sfnn, progress = sys.argv[1], *(open(p, 'rb').read() for p in sys.argv[2:5])
NONE, SHAPE, LENGTH, BLOCK = ('not a network', 'unknown shape of network', 'wrong length',
                              'a compressed block is damaged')
MAGIC = b'COMPRESSED_LEB128'

def put(name, data, error):
    open(os.path.join(folder, name + '.bin'), 'wb').write(data)
    print(name + '\t' + error)

def u32(n): return struct.pack('<I', n)
def body_at(net): return 12 + struct.unpack_from('<I', net, 8)[0]
def with_text(net, text): return net[:8] + u32(len(text)) + text + net[body_at(net):]

# The sizes of this one leave open how a stack is selected, and these files have other names.
progress = with_text(progress, b'SFNN_ka2_640_7_64_c128_s64x8_hand4_k3k3_progress4')

# Not even a header.
put('empty', b'', NONE)
put('text', b'This is eval_options.txt: FV_SCALE=24\n', NONE)
put('zeros', bytes(100000), NONE)
put('eleven_bytes', plain[:11], NONE)
put('next_version', u32(0x7AF32F17) + plain[4:], NONE)
put('only_a_header', plain[:8] + u32(0), SHAPE)

# Lengths that lie.
for n in (2**32 - 1, 2**31, len(plain), len(plain) - 11, 65537):
    put('text_length_%d' % n, plain[:8] + u32(n) + plain[12:], LENGTH)
put('text_length_0', plain[:8] + u32(0) + plain[12:], SHAPE)
put('text_takes_all', plain[:8] + u32(60000) + plain[12:60012], SHAPE)

# Plain files cut or with something behind.
at = body_at(plain)
for name, end in (('text', at), ('hash', at + 4), ('biases', at + 4 + 128), ('a_row', at + 4 + 256),
                  ('half', len(plain) // 2), ('the_last_byte', len(plain) - 1), ('in_the_text', at - 1)):
    put('plain_cut_after_' + name, plain[:end], LENGTH if name == 'in_the_text' else SHAPE)
put('plain_and_a_byte', plain + b'\0', SHAPE)
put('plain_twice', plain + plain, SHAPE)
put('plain_and_65_letters', plain + (b'bullet' * 11)[:65], SHAPE)

# SFNN: blocks, sections and stacks.
def blocks(net):
    """Where the two blocks of numbers start and end, behind their beginnings."""
    found, at = [], body_at(net) + 4
    for _ in range(2):
        assert net[at:at + 17] == MAGIC
        n, = struct.unpack_from('<I', net, at + 17)
        found.append((at + 21, at + 21 + n))
        at += 21 + n
    return found

for name, net in (('sfnn', sfnn), ('progress', progress)):
    (a, b), (c, d) = blocks(net)
    stacks = d if net is sfnn else d + 8 + 4 * 81 * 1548
    cuts = {'hash': (body_at(net) + 4, SHAPE), 'in_the_magic': (a - 10, SHAPE), 'in_a_length': (a - 2, BLOCK),
            'a_length': (a, BLOCK), 'in_the_biases': (a + 20, BLOCK), 'the_biases': (b, SHAPE),
            'in_the_rows': ((c + d) // 2, BLOCK), 'the_rows': (d, SHAPE), 'in_the_stacks': (stacks + 1000, SHAPE),
            'the_last_byte': (len(net) - 1, SHAPE)}
    if net is progress:
        cuts['in_the_progress'] = (stacks - 1000, SHAPE)
        cuts['the_progress'] = (stacks, SHAPE)
    for cut, (end, error) in cuts.items():
        put('%s_cut_after_%s' % (name, cut), net[:end], error)
    put(name + '_and_a_byte', net + b'\0', SHAPE)

(a, b), (c, d) = blocks(progress)
def with_length(at, n): return progress[:at - 4] + u32(n) + progress[at:]
for part, at, end in (('biases', a, b), ('rows', c, d)):
    put(part + '_too_short', with_length(at, end - at - 1), SHAPE)
    put(part + '_too_long', with_length(at, end - at + 1), SHAPE)
    put(part + '_empty', with_length(at, 0), SHAPE)
    put(part + '_beyond_the_file', with_length(at, len(progress)), BLOCK)
    put(part + '_of_4_gb', with_length(at, 2**32 - 1), BLOCK)
    for kind, number in (('endless', b'\xff' * 40 + b'\0'), ('of_four_bytes', b'\x80\x80\x80\0'),
                         ('of_17_bits', b'\xff\xff\x07'), ('negative_of_17_bits', b'\x80\x80\x7c')):
        put('%s_number_%s' % (part, kind), progress[:at - 4] + u32(end - at + len(number) - 1) + number +
            progress[at + 1:], BLOCK)
    put(part + '_without_an_end', progress[:end - 1] + b'\xff' + progress[end:], SHAPE)
put('no_sums', progress[:a - 4] + u32(0) + MAGIC + u32(0) + progress[d:], SHAPE)
put('no_rows', progress[:c - 4] + u32(0) + progress[d:], SHAPE)
put('one_row', progress[:c - 4] + u32(640) + progress[c:c + 640] + progress[d:], SHAPE)

# The dialects of other trainers.
at = body_at(sfnn)
for n in (0, 8, 10, 17, 2**32 - 1):
    put('networks_%d' % n, u32(0x7AF32F21) + sfnn[4:at] + u32(n) + sfnn[at:], SHAPE)
put('networks_not_there', u32(0x7AF32F21) + sfnn[4:at], SHAPE)
for name, text, error in (('threats', b'Features=HalfKA,Threat=216720', 'a network with threat inputs of another program'),
                          ('psqt', b'Features=HalfKA,PSQT=9', 'a network with piece-square outputs'),
                          ('factorizer', b'Features=HalfKP,Factorizer', 'a file from within a training'),
                          ('screlu', b'Features=HalfKP-SCReLU', 'a network with an activation'),
                          ('qa', b'Features=HalfKP,qa=255', 'a network with an activation'),
                          ('progress_file', b'LayerStack,progress8kpabs', 'its progress.bin, in the same folder')):
    put('named_' + name, with_text(sfnn, text), error)
