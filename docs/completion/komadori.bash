# Completion of bash for komadori and its tools. The words come from the programs' own help, so there is
# nothing to keep in step. A command of komadori or komadori-kifu begins its line of help behind two
# blanks; what follows until the next one names its options.

_komadori() {
    local word=${COMP_WORDS[COMP_CWORD]} help words
    help=$("${COMP_WORDS[0]}" --help 2>/dev/null </dev/null) || return 0
    case ${COMP_WORDS[0]##*/} in
    komadori-match* | komadori-train*)
        words=$(printf '%s\n' "$help" | sed -n 's/^  \(-[^ ]*\).*/\1/p')
        [[ ${COMP_WORDS[COMP_CWORD - 1]} == -* ]] &&
            words+=$'\n'$(printf '%s\n' "$help" | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1=/p')
        ;;
    *)
        if [[ $COMP_CWORD -eq 1 ]]; then
            words=$(printf '%s\n' "$help" | sed -n 's/^  \([a-z]*\) .*/\1/p')
        else
            words=$(printf '%s\n' "$help" | awk -v command="${COMP_WORDS[1]}" '
                /^  [a-z]/ { is_it = $1 == command }
                is_it' | grep -o -e '--[a-z-]*')
        fi
        ;;
    esac
    # shellcheck disable=SC2207
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -o default -F _komadori komadori komadori-kifu komadori-match komadori-train
