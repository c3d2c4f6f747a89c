# The rules that tests/layers.sh checks; reads the sources, prints "RULE: message" for each fault.
# Called from the folder that holds src/ and include/, with paths that start there.

BEGIN {
    allow("base", "")
    allow("rules", "base komadori")
    allow("record", "base rules komadori")
    allow("mate", "base rules")
    allow("eval", "base rules")
    allow("search", "base rules mate eval")
    allow("book", "base rules record eval search")
    allow("engine", "base rules mate eval book search version")
    allow("train", "base rules record mate eval book search version")
    allow("web", "base rules record")
    allow("play", "base rules record")
    allow("match", "base rules record book play web version")
    allow("csa", "base rules record play match version")
    allow("commands", "base rules record mate eval book search engine train web komadori version")
    allow("api", "base rules record mate web komadori")
    libc = " aio assert complex ctype dirent errno fcntl fenv float fmtmsg fnmatch ftw glob grp " \
        "iconv inttypes iso646 langinfo libgen limits locale math malloc memory monetary mqueue " \
        "ndbm netdb nl_types poll process pthread pwd regex sched search semaphore setjmp signal " \
        "spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string " \
        "strings stropts syslog tar termios tgmath thread threads time trace uchar ulimit unistd " \
        "utime utmpx wchar wctype windows wordexp version "
}

# The directories of which `dir` may include headers. "komadori" is the public API in include/,
# "version" only its version.h.
function allow(dir, others) {
    is_known[dir] = 1
    may_include[dir] = " " dir " " others " "
}

function fault(rule, text) {
    print rule ": " FILENAME ":" FNR ": " text
}

# src/rules/sfen.h -> rules; include/komadori/shogi.h -> komadori
function dir_of(path) {
    sub(/^(src|include)\//, "", path)
    sub(/\/[^\/]*$/, "", path)
    return path
}

function name_of(path) {
    sub(/^.*\//, "", path)
    return path
}

# A module is a .c and its .h: src/rules/sfen.h -> src/rules/sfen
function module_of(path) {
    sub(/\.[a-z]+$/, "", path)
    return path
}

function note_edge(kind, from, to) {
    if (from != to && !((kind, from, to) in is_edge)) {
        is_edge[kind, from, to] = 1
        edges[kind, from] = edges[kind, from] to "\n"
        if (!((kind, from) in is_node)) {
            is_node[kind, from] = 1
            nodes[kind] = nodes[kind] from "\n"
        }
    }
}

function finish_header() {
    if (header != "" && guard_lines < 2) {
        print "guard: " header ": has no guard " wanted_guard
    }
}

FNR == 1 {
    finish_header()
    in_comment = 0
    dir = dir_of(FILENAME)
    name = name_of(FILENAME)
    is_public = FILENAME ~ /^include\//
    if (!is_public && !(dir in is_known)) {
        fault("allowed", "no layer is called " dir)
    }
    if (!is_public && (name in place_of)) {
        fault("unique", "also in " place_of[name])
    }
    if (!is_public) {
        place_of[name] = FILENAME
    }
    header = name ~ /\.h$/ ? FILENAME : ""
    if (header != "" && !is_public && index(libc, " " substr(name, 1, length(name) - 2) " ")) {
        fault("libc", "a header of the C library has this name")
    }
    guard_lines = 0
    last_dir = dir
    sub(/^.*\//, "", last_dir)
    wanted_guard = "KMD_" toupper(last_dir) "_" toupper(substr(name, 1, length(name) - 2)) "_H"
}

{
    line = strip_comments($0)
}

# The guard is the first thing in a header.
header != "" && guard_lines < 2 && line ~ /[^ \t\r]/ {
    split(line, word, /[ \t]+/)
    wanted_word = guard_lines == 0 ? "#ifndef" : "#define"
    if (word[1] == wanted_word && word[2] == wanted_guard) {
        guard_lines++
    } else {
        fault("guard", "expected " wanted_word " " wanted_guard)
        header = ""
    }
}

line ~ /^[ \t]*#[ \t]*include/ {
    check_include(line)
}

function check_include(line,    path, target) {
    path = line
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", path)
    if (path ~ /^</) {
        sub(/^</, "", path)
        sub(/>.*$/, "", path)
        if (is_file("src/" path) || is_file("include/" path)) {
            fault("system", "<" path "> is the project's own: use quotes")
        }
        return
    }
    if (path !~ /^"[^"]+"/) {
        fault("form", "cannot follow this include")
        return
    }
    sub(/^"/, "", path)
    sub(/".*$/, "", path)
    if (path !~ /\// || path ~ /(^|\/)\.\.?\//) {
        fault("form", "\"" path "\" is not written from src/ or include/")
        return
    }
    target = is_file("src/" path) ? "src/" path : is_file("include/" path) ? "include/" path : ""
    if (target == "") {
        fault("exists", "\"" path "\" is in neither src/ nor include/")
        return
    }
    check_direction(path, target)
}

function check_direction(path, target,    to) {
    to = dir_of(target)
    if (target ~ /^include\//) {
        if (!is_public && !(dir in is_known)) {
            return
        }
        if (!is_public && !index(may_include[dir], " komadori ") &&
            !(path == "komadori/version.h" && index(may_include[dir], " version "))) {
            fault("public", dir " must not include the public API")
        }
    } else if (is_public) {
        fault("public", "a public header must not include \"" path "\"")
    } else if ((dir in is_known) && !index(may_include[dir], " " to " ")) {
        fault("allowed", dir " must not include " to)
    }
    note_edge("module", module_of(FILENAME), module_of(target))
    if (!is_public && target !~ /^include\//) {
        note_edge("directory", dir, to)
    }
}

function is_file(path,    text, found) {
    if (!(path in file_known)) {
        found = (getline text <path) >= 0
        close(path)
        file_known[path] = found
    }
    return file_known[path]
}

# Follows the edges from `node`; `road` is the path so far. Prints the first cycle found.
function walk(kind, node, road,    list, count, i) {
    mark[kind, node] = "open"
    count = split(edges[kind, node], list, "\n")
    for (i = 1; i < count; i++) {
        if (mark[kind, list[i]] == "open" && !(kind in cycle_found)) {
            cycle_found[kind] = 1
            print kind "-cycle: " road " -> " list[i]
        } else if (mark[kind, list[i]] == "") {
            walk(kind, list[i], road " -> " list[i])
        }
    }
    mark[kind, node] = "done"
}

function walk_all(kind,    list, count, i) {
    count = split(nodes[kind], list, "\n")
    for (i = 1; i < count; i++) {
        if (mark[kind, list[i]] == "") {
            walk(kind, list[i], list[i])
        }
    }
}

END {
    finish_header()
    walk_all("module")
    walk_all("directory")
}
