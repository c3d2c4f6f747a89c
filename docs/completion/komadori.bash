# Completion of bash for komadori and its tools: `PROGRAM --complete WORD ...` prints what may stand in the
# place of the last word.

# bash parts "key=value" into three words and replaces only the last of them.
_komadori() {
    local words word last= typed=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#typed[@]} -gt 0 && ($word == = || $last == =) ]]; then
            typed[${#typed[@]} - 1]+=$word
        else
            typed+=("$word")
        fi
        last=$word
    done
    words=$("${COMP_WORDS[0]}" --complete "${typed[@]}" 2>/dev/null </dev/null) || return 0
    # shellcheck disable=SC2206
    COMPREPLY=($words)
    word=${typed[${#typed[@]} - 1]}
    [[ $word != *=* || $last == "$word" ]] || COMPREPLY=("${COMPREPLY[@]#*=}")
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -o default -F _komadori komadori komadori-csa komadori-kifu komadori-match komadori-train
