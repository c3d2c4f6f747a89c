# Says where every exported symbol of src/ is declared and who uses it; called by tests/doors.sh from the
# folder that holds src/ and include/. Reads first the lines "D FILE SYMBOL" (a function defined),
# "C FILE SYMBOL" (data defined) and "U FILE SYMBOL" (used) of a list, then sources and headers. Prints
# a line for each finding:
#
#   door FILE SYMBOL    the header of FILE does not declare SYMBOL, which FILE exports
#   part FILE           a private part of a module: no header of its own, exports in the module's
#   bare FILE           no header of its own, though it exports something
#   circle FILES        files that call each other in a circle
#   single FILE CALLER KIND  one file alone uses what FILE exports; KIND is part (a private part), entry
#                       (exports only data: an entry of the caller's table) or module
#   floor N             the longest chain of calls among the files of `room`
#   upward FILE FILE    a call in `room` from a file to one that includes more floors than it

FNR == 1 {
    in_comment = 0
    if (NR > 1) {
        is_file[FILENAME] = 1
    }
}

NR == FNR {
    if ($1 != "U") {
        has_function[$2] = has_function[$2] || $1 == "D"
        defined[++defined_count] = $2 " " $3
        owner[$3] = $2
        exports[$2]++
    } else {
        used[++used_count] = $2 " " $3
    }
    next
}

{
    line = strip_comments($0)
    if (FILENAME ~ /\.c$/) {
        if (match(line, /EMBED_FILE\([a-z_0-9]+/)) {
            name = substr(line, RSTART + 11, RLENGTH - 11)
            is_embedded[name] = is_embedded[name "_end"] = 1
        }
    } else {
        note_names(line)
    }
    if (line ~ /^#include "/) {
        split(line, word, "\"")
        included[FILENAME] = included[FILENAME] " src/" word[2]
    }
}

# In a declaration, a name is followed by its parameters, its bounds, a comma or the end.
function note_names(line,    name) {
    while (match(line, /[A-Za-z_][A-Za-z_0-9]*[(\[;,]/)) {
        name = substr(line, RSTART, RLENGTH - 1)
        declares[FILENAME, name] = 1
        line = substr(line, RSTART + RLENGTH - 1)
    }
}

# src/eval/kernels_avx2.c -> src/eval/kernels, where kernels.h is and kernels_avx2.h is not.
function module_of(file,    stem, base) {
    stem = file
    sub(/\.[a-z]+$/, "", stem)
    if (door_of(stem) != "") {
        return stem
    }
    base = stem
    while (sub(/_[a-z0-9]+$/, "", base)) {
        if (door_of(base) != "") {
            return base
        }
    }
    return stem
}

# The public API is declared in include/.
function door_of(stem,    public) {
    if ((stem ".h") in is_file) {
        return stem ".h"
    }
    public = stem
    sub(/^src\/api\//, "include/komadori/", public)
    return public != stem && ((public ".h") in is_file) ? public ".h" : ""
}

function note_call(from, to) {
    if (!((from, to) in is_call)) {
        is_call[from, to] = 1
        called[from] = called[from] " " to
        is_node[from] = is_node[to] = 1
        callers[to]++
        latest[to] = from
        file_calls[++file_call_count] = from " " to
    }
}

# Tarjan's strongly connected components.
function visit(node,    list, count, i, text, member, size) {
    number[node] = lowest[node] = ++numbered
    stack[++depth] = node
    on_stack[node] = 1
    count = split(called[node], list, " ")
    for (i = 1; i <= count; i++) {
        if (!(list[i] in number)) {
            visit(list[i])
            lowest[node] = lowest[list[i]] < lowest[node] ? lowest[list[i]] : lowest[node]
        } else if (list[i] in on_stack) {
            lowest[node] = number[list[i]] < lowest[node] ? number[list[i]] : lowest[node]
        }
    }
    if (lowest[node] == number[node]) {
        do {
            member = stack[depth--]
            delete on_stack[member]
            text = text " " member
            size++
        } while (member != node)
        if (size > 1) {
            print "circle" text
        }
    }
}

# The height of a node in `room`, itself included: by calls between files or by includes between modules.
function floors(node, way,    list, count, i, most, here) {
    if (node in height) {
        return height[node]
    }
    most = 0
    count = split(way == "calls" ? called[node] : needs[node], list, " ")
    height[node] = 1
    for (i = 1; i <= count; i++) {
        if (index(list[i], room "/") == 1) {
            here = floors(list[i], way)
            most = here > most ? here : most
        }
    }
    return height[node] = most + 1
}

function find_floors(    node, most, here, i, list, count, file) {
    for (node in is_node) {
        if (index(node, room "/") == 1) {
            here = floors(node, "calls")
            most = here > most ? here : most
        }
    }
    print "floor " most + 0
    split("", height)
    for (file in included) {
        count = split(included[file], list, " ")
        for (i = 1; i <= count; i++) {
            if (module_of(list[i]) != module_of(file)) {
                needs[module_of(file)] = needs[module_of(file)] " " module_of(list[i])
            }
        }
    }
}

# The module whose header declares what a file exports.
function home_of(file) {
    return (file in elsewhere) ? elsewhere[file] : module_of(file)
}

function judge_doors(    i, word, file, name, door, header, key) {
    for (i = 1; i <= defined_count; i++) {
        split(defined[i], word, " ")
        file = word[1]
        name = word[2]
        if (name == "main" || (name in is_embedded)) {
            continue
        }
        door = door_of(module_of(file))
        if (door == "" || !((door, name) in declares)) {
            print "door " file " " name
            for (key in is_file) {
                header = key
                if (header ~ /^src\/.*\.h$/ && ((header, name) in declares)) {
                    sub(/\.h$/, "", header)
                    elsewhere[file] = header
                }
            }
        }
        if (!(file in is_seen)) {
            is_seen[file] = 1
            header = file
            sub(/\.c$/, "", header)
            if (door_of(header) == "") {
                print (door == "" ? "bare " : "part ") file
                if (door != "") {
                    is_part[file] = 1
                }
            }
        }
    }
}

END {
    judge_doors()
    for (i = 1; i <= used_count; i++) {
        split(used[i], word, " ")
        if ((word[2] in owner) && owner[word[2]] != word[1]) {
            note_call(word[1], owner[word[2]])
        }
    }
    for (node in is_node) {
        if (!(node in number)) {
            visit(node)
        }
    }
    for (file in callers) {
        if (callers[file] == 1) {
            kind = (file in is_part) ? "part" : has_function[file] ? "module" : "entry"
            print "single " file " " latest[file] " " kind
        }
    }
    find_floors()
    for (i = 1; i <= file_call_count; i++) {
        split(file_calls[i], word, " ")
        if (index(word[1], room "/") == 1 && index(word[2], room "/") == 1 &&
            floors(home_of(word[2]), "includes") > floors(home_of(word[1]), "includes")) {
            print "upward " word[1] " " word[2]
        }
    }
}
