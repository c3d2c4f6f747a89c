#compdef komadori komadori-kifu komadori-match komadori-train
# Completion of zsh for komadori and its tools. The words come from the programs' own help, as in
# komadori.bash, which tells how.

local help
local -a offered keys
help=$($words[1] --help 2>/dev/null </dev/null) || return 1
case ${words[1]:t} in
komadori-match* | komadori-train*)
    offered=(${(f)"$(print -r -- $help | sed -n 's/^  \(-[^ ]*\).*/\1/p')"})
    [[ $words[CURRENT-1] == -* ]] &&
        keys=(${(f)"$(print -r -- $help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1=/p')"})
    ;;
*)
    if ((CURRENT == 2)); then
        offered=(${(f)"$(print -r -- $help | sed -n 's/^  \([a-z]*\) .*/\1/p')"})
    else
        offered=(${(f)"$(print -r -- $help | awk -v command=$words[2] '
            /^  [a-z]/ { is_it = $1 == command }
            is_it' | grep -o -e '--[a-z-]*')"})
    fi
    ;;
esac
compadd -S '' -a keys || compadd -a offered || _files
