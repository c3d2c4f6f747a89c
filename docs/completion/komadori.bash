# Completion of bash for komadori and its tools: `PROGRAM --complete WORD ...` prints what may stand in the
# place of the last word.

_komadori() {
    local words
    words=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null) || return 0
    # shellcheck disable=SC2206
    COMPREPLY=($words)
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -o default -F _komadori komadori komadori-kifu komadori-match komadori-train
