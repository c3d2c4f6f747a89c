# What tests/style.sh can check of the style by reading: prints "RULE: message" for each fault.
# Relies on the layout of clang-format: a function starts in column 1 and ends with "}" there.
# usage: awk -v exceptions=" name name " -f style.awk FILES

BEGIN {
    max_parameters = 6
    banned = "(strtok|strtok_r|atoi|atol|atoll|atof|sscanf|fscanf|scanf|strcpy|strcat|sprintf|" \
        "vsprintf|gets|alloca|setjmp|longjmp)"
    numbers = "(strtol|strtoul|strtoll|strtoull|strtod|strtof)"
    outer_world = "(printf|puts|putchar|exit|abort|getenv)"
    open_work = "(TODO|FIXME|XXX|HACK)"
    extensions = "(^|[^A-Za-z0-9_])(__builtin_|__attribute__|__asm__)"
    platform = "[^A-Za-z0-9_](_WIN32|__[A-Za-z])"
}

function fault(rule, text) {
    print rule ": " FILENAME ":" FNR ": " text
}

# The line without comments and quoted text.
function code_of(line) {
    if (in_comment) {
        if (!sub(/^.*\*\//, "", line)) {
            return ""
        }
        in_comment = 0
    }
    gsub(/\\./, "", line)
    gsub(/'[^']*'/, "0", line)
    gsub(/"[^"]*"/, "\"\"", line)
    sub(/\/\/.*$/, "", line)
    gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
    if (match(line, /\/\*/)) {
        in_comment = 1
        line = substr(line, 1, RSTART - 1)
    }
    return line
}

function calls(code, names) {
    return code ~ ("(^|[^A-Za-z0-9_>.])" names "[ ]*\\(")
}

# Parameters of the function whose signature is `text`: commas outside inner parentheses.
function parameter_count(text,    depth, count, i, c) {
    count = 1
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += c == "(" ? 1 : c == ")" ? -1 : 0
        count += c == "," && depth == 1
    }
    return count
}

function start_function(text,    name) {
    in_function = 1
    name = text
    sub(/\(.*$/, "", name)
    sub(/^.*[ *]/, "", name)
    if (parameter_count(text) > max_parameters && !index(exceptions, " " name " ")) {
        fault("parameters", name " has more than " max_parameters " parameters")
    }
}

FNR == 1 {
    in_comment = 0
    in_function = 0
    signature = ""
    is_outer = FILENAME ~ /^src\/((engine|commands|match|csa)\/|train\/trainmain)/ || FILENAME !~ /^src\//
    ends_program = FILENAME ~ /^src\/base\/(base|xmem)\.c$/
    is_source = FILENAME ~ /^src\//
    is_base = FILENAME ~ /^src\/base\//
    asks_platform = FILENAME ~ /^src\/base\/(base\.h|target\.h|buildinfo\.c|cpu\.c|system_|proc_|startup_win)/ ||
        FILENAME ~ /^src\/(rules\/bitboard\.h|eval\/kernels)/
}

$0 ~ ("(^|[^A-Za-z])" open_work "([^A-Za-z]|$)") {
    fault("open-work", "open work is written as NEEDSWORK: with what is to be decided")
}

{
    code = code_of($0)
    if (calls(code, banned)) {
        fault("banned", "a function that the project does not use: " code)
    }
    if (calls(code, numbers) && FILENAME ~ /^src\// && FILENAME != "src/base/str.c") {
        fault("numbers", "text is read by base/str.h only: " code)
    }
    if (!is_outer && !ends_program && calls(code, outer_world)) {
        fault("outer-world", "nothing prints, exits or reads the environment here: " code)
    }
    if (is_source && !is_base && code ~ extensions) {
        fault("extensions", "extensions of a compiler are macros of base/base.h: " code)
    }
    if (is_source && !asks_platform && code ~ /^#[ ]*(el)?if/ && code ~ platform) {
        fault("platform", "docs/architecture.md names the files that ask for it: " code)
    }
    if (is_source && in_function && code ~ /^#[ ]*if/) {
        fault("conditional", "no #if inside a function: " code)
    }
    if (in_function) {
        if (code ~ /^}/) {
            in_function = 0
        }
    } else if (code ~ /^[A-Za-z_]/ && code !~ /^(typedef|struct|enum|union|extern)/ || signature != "") {
        signature = signature code
        if (code ~ /\{[ ]*$/ && signature ~ /\(/ && signature !~ /=[^=]/) {
            start_function(signature)
            signature = ""
        } else if (code ~ /[;}]/ || code ~ /\{[ ]*$/) {
            signature = ""
        }
    }
}
