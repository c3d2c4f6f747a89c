# Completion of bash for komadori and its tools. `PROGRAM --complete WORD ...` prints what may stand in the
# place of the last word. Of programs that do not know it the words come from the programs' own help, so there is
# nothing to keep in step. A command of komadori or komadori-kifu begins its line of help behind two
# blanks; what follows until the next one names its options, and small words up to the next two blanks,
# as in "net info [FILE] | verify FILE", are what it can be told to do. Options are offered to a word that
# begins with "-": any other may be a file.

_komadori() {
    local word=${COMP_WORDS[COMP_CWORD]} option= help words= i
    if words=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null); then
        # shellcheck disable=SC2206
        COMPREPLY=($words)
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
        return 0
    fi
    help=$("${COMP_WORDS[0]}" --help 2>/dev/null </dev/null) || return 0
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} != -* ]] || option=${COMP_WORDS[i]}
    done
    case ${COMP_WORDS[0]##*/} in
    komadori-match* | komadori-train*)
        if [[ $word == -* ]]; then
            words=$(printf '%s\n' "$help" | sed -n 's/^  \(-[^ ]*\).*/\1/p')
        elif [[ $option =~ ^--?(engine|each)$ ]]; then
            words=$(printf '%s\n' "$help" | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1=/p')
        fi
        ;;
    *)
        if [[ $word == -* ]]; then
            words=$(printf '%s\n' "$help" | awk -v command="${COMP_WORDS[1]}" '
                /^  [a-z]/ { is_it = $1 == command }
                is_it' | grep -o -e '--[a-z-]*')
        elif [[ $COMP_CWORD -eq 1 ]]; then
            words=$(printf '%s\n' "$help" | sed -n 's/^  \([a-z]*\) .*/\1/p')
        elif [[ $COMP_CWORD -eq 2 ]]; then
            words=$(printf '%s\n' "$help" | awk -v command="${COMP_WORDS[1]}" '
                /^  [a-z]/ && $1 == command { sub(/^  [a-z]* /, ""); sub(/  .*/, ""); print }' |
                tr ' |' '\n\n' | grep -x '[a-z][a-z]*')
        fi
        ;;
    esac
    # shellcheck disable=SC2207
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -o default -F _komadori komadori komadori-kifu komadori-match komadori-train
