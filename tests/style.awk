# The rules that tests/style.sh checks; prints "RULE: FILE:LINE: message" for each fault.
# usage: awk -f tests/style.awk docs/architecture.md FILE...    from the top folder, with all files of src and include
#
# The table of folders in docs/architecture.md, "    match, csa   → base rules   what is in them", says which folders
# a folder may include; "all" are those in the rows above it. The folder "include" is the public API.

BEGIN {
    banned = "(strtok|strtok_r|atoi|atol|atoll|atof|sscanf|fscanf|scanf|strcpy|strcat|sprintf|" \
        "vsprintf|gets|alloca|setjmp|longjmp)"
    numbers = "(strtol|strtoul|strtoll|strtoull|strtod|strtof)"
    outer_world = "(printf|puts|putchar|exit|abort|getenv)"
    extensions = "(^|[^A-Za-z0-9_])(__builtin_|__attribute__|__asm__)"
    platform = "[^A-Za-z0-9_](_WIN32|__[A-Za-z])"
    for (i = 1; i < ARGC; i++) {
        is_file[ARGV[i]] = 1
    }
}

function fault(rule, text) {
    print rule ": " FILENAME ":" FNR ": " text
}

# ---- the table of folders ----------------------------------------------------------------------

FILENAME ~ /\.md$/ {
    if ($0 ~ /^    [a-z, ]+ → ?/) {
        arrow = index($0, "→")
        others = substr($0, arrow + length("→") + 1)
        sub(/  .*/, "", others)
        count = split(substr($0, 5, arrow - 5), row, /[ ,]+/)
        for (i = 1; i <= count; i++) {
            if (row[i] != "") {
                may_include[row[i]] = " " row[i] " " (others == "all" ? above : others) " "
                added = added " " row[i]
            }
        }
        above = above added
        added = ""
    }
    next
}

# ---- a line of C -------------------------------------------------------------------------------

FNR == 1 {
    in_comment = 0
    dir = dir_of(FILENAME)
    name = FILENAME
    sub(/^.*\//, "", name)
    is_source = FILENAME ~ /^src\//
    if (is_source && !(dir in may_include)) {
        fault("includes", "docs/architecture.md has no folder " dir)
    }
    if (is_source && (name in place_of)) {
        fault("names", "this name is also in " place_of[name])
    }
    place_of[name] = FILENAME
    is_outer = !is_source || dir ~ /^(engine|commands|match|csa)$/ || name == "trainmain.c" ||
        FILENAME ~ /^src\/base\/(base|xmem)\.c$/
    asks_platform = !is_source ||
        FILENAME ~ /^src\/base\/(base\.[ch]|cpu\.c|system_|proc_|terminal_|startup_win)/ ||
        FILENAME ~ /^src\/(rules\/bitboard\.h|eval\/kernels)/
}

{
    line = $0
    if (in_comment && !sub(/^.*\*\//, "", line)) {
        next
    }
    gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
    in_comment = match(line, /\/\*/)
    if (in_comment) {
        line = substr(line, 1, RSTART - 1)
    }
    if (line ~ /^[ ]*#[ ]*include "/ && FILENAME !~ /^tests\//) {
        check_include(line)
    }
    gsub(/\\./, "", line)
    gsub(/'[^']*'/, "0", line)
    gsub(/"[^"]*"/, "\"\"", line)
    if (calls(banned)) {
        fault("functions", "a function that the project does not use: " line)
    }
    if (is_source && FILENAME != "src/base/str.c" && calls(numbers)) {
        fault("functions", "only base/str.h reads numbers: " line)
    }
    if (!is_outer && calls(outer_world)) {
        fault("functions", "nothing prints, exits or reads the environment here: " line)
    }
    if (is_source && dir != "base" && line ~ extensions) {
        fault("platform", "extensions of a compiler are macros of base/base.h: " line)
    }
    if (!asks_platform && line ~ /^#[ ]*(el)?if/ && line ~ platform) {
        fault("platform", "docs/architecture.md names the files that test for it: " line)
    }
}

function calls(names) {
    return line ~ ("(^|[^A-Za-z0-9_>.])" names "[ ]*\\(")
}

# ---- includes ----------------------------------------------------------------------------------

# src/rules/sfen.h -> rules; include/komadori/shogi.h -> include
function dir_of(path) {
    return split(path, part, "/") > 2 && part[1] == "src" ? part[2] : part[1]
}

# A module is a .c file and its .h file.
function module_of(path) {
    sub(/\.[a-z]+$/, "", path)
    return path
}

function check_include(text,    path, target) {
    path = text
    sub(/^[^"]*"/, "", path)
    sub(/".*$/, "", path)
    target = ("src/" path) in is_file ? "src/" path : "include/" path
    if (!(target in is_file)) {
        fault("includes", "\"" path "\" is in neither src/ nor include/")
    } else if (!is_source && target ~ /^src\//) {
        fault("includes", "a public header must not include \"" path "\"")
    } else {
        if (is_source && (dir in may_include) && !index(may_include[dir], " " dir_of(target) " ")) {
            fault("includes", dir " must not include " dir_of(target))
        }
        add_edge("modules", module_of(FILENAME), module_of(target))
        add_edge("folders", dir, dir_of(target))
    }
}

function add_edge(kind, from, to) {
    if (from != to && !((kind, from, to) in is_edge)) {
        is_edge[kind, from, to] = 1
        targets[kind, from] = targets[kind, from] to "\n"
        starts[kind] = starts[kind] from "\n"
    }
}

# Follows the edges from `node`; `road` is the path so far. Prints the first cycle found.
function walk(kind, node, road,    list, count, i) {
    mark[kind, node] = "open"
    count = split(targets[kind, node], list, "\n")
    for (i = 1; i < count; i++) {
        if (mark[kind, list[i]] == "open" && !(kind in is_round)) {
            is_round[kind] = 1
            print "cycles: " kind ": " road " -> " list[i]
        } else if (mark[kind, list[i]] == "") {
            walk(kind, list[i], road " -> " list[i])
        }
    }
    mark[kind, node] = "done"
}

function walk_all(kind,    list, count, i) {
    count = split(starts[kind], list, "\n")
    for (i = 1; i < count; i++) {
        if (mark[kind, list[i]] == "") {
            walk(kind, list[i], list[i])
        }
    }
}

END {
    walk_all("modules")
    walk_all("folders")
}
