#compdef komadori komadori-kifu komadori-match komadori-train
# Completion of zsh for komadori and its tools. The words come from the programs' own help, as in
# komadori.bash, which tells how.

local help option each
local -a offered keys
if help=$($words[1] --complete $words[2,CURRENT] 2>/dev/null </dev/null); then
    offered=(${(f)help})
    if [[ $offered[1] == *= ]]; then compadd -S '' -a offered; else compadd -a offered || _files; fi
    return
fi
help=$($words[1] --help 2>/dev/null </dev/null) || return 1
for each in $words[2,CURRENT-1]; do
    [[ $each != -* ]] || option=$each
done
case ${words[1]:t} in
komadori-match* | komadori-train*)
    if [[ $words[CURRENT] == -* ]]; then
        offered=(${(f)"$(print -r -- $help | sed -n 's/^  \(-[^ ]*\).*/\1/p')"})
    elif [[ $option == (-|--)(engine|each) ]]; then
        keys=(${(f)"$(print -r -- $help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1=/p')"})
    fi
    ;;
*)
    if [[ $words[CURRENT] == -* ]]; then
        offered=(${(f)"$(print -r -- $help | awk -v command=$words[2] '
            /^  [a-z]/ { is_it = $1 == command }
            is_it' | grep -o -e '--[a-z-]*')"})
    elif ((CURRENT == 2)); then
        offered=(${(f)"$(print -r -- $help | sed -n 's/^  \([a-z]*\) .*/\1/p')"})
    elif ((CURRENT == 3)); then
        offered=(${(f)"$(print -r -- $help | awk -v command=$words[2] '
            /^  [a-z]/ && $1 == command { sub(/^  [a-z]* /, ""); sub(/  .*/, ""); print }' |
            tr ' |' '\n\n' | grep -x '[a-z][a-z]*')"})
    fi
    ;;
esac
compadd -S '' -a keys || compadd -a offered || _files
