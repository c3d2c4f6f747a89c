# A line of C without its comments, for the programs that are run with -f comments.awk before their own
# file. in_comment is true from line to line inside a comment; set it to 0 where a file begins.
function strip_comments(line) {
    if (in_comment) {
        if (!sub(/^.*\*\//, "", line)) {
            return ""
        }
        in_comment = 0
    }
    gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
    if (match(line, /\/\*/)) {
        in_comment = 1
        line = substr(line, 1, RSTART - 1)
    }
    return line
}
