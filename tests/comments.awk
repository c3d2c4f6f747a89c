# Removes the comments from a line of C; for programs that are run with -f comments.awk before their own file.
# in_comment is true inside a comment that spans lines; set it to 0 at the start of a file.
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
