# Completion of fish for komadori and its tools. The words come from the programs' own help, as in
# komadori.bash, which tells how.

function __komadori_offer
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l offered ($words[1] --complete $words[2..-1] $word 2>/dev/null </dev/null)
    if test $pipestatus[-1] -eq 0
        printf '%s\n' $offered
        return
    end
    set -l option ''
    set -l help ($words[1] --help 2>/dev/null </dev/null)
    for each in $words
        if string match -q -- '-*' $each
            set option $each
        end
    end
    switch (basename $words[1])
        case 'komadori-match*' 'komadori-train*'
            if string match -q -- '-*' "$word"
                string replace -rf '^  (-\S+).*' '$1' -- $help
            else if string match -qr -- '^--?(engine|each)$' $option
                string replace -rf '^  ([a-z]+) +[a-z].*' '$1=' -- $help
            end
        case '*'
            if string match -q -- '-*' "$word"
                printf '%s\n' $help | awk -v "command=$words[2]" '
                    /^  [a-z]/ { is_it = $1 == command }
                    is_it' | string match -ra -- '--[a-z-]*'
            else if test (count $words) -eq 1
                string replace -rf '^  ([a-z]+) .*' '$1' -- $help
            else if test (count $words) -eq 2
                printf '%s\n' $help | awk -v "command=$words[2]" '
                    /^  [a-z]/ && $1 == command { sub(/^  [a-z]* /, ""); sub(/  .*/, ""); print }' |
                    tr ' |' '\n\n' | string match -r '^[a-z]+$'
            end
    end
end

complete -c komadori -c komadori-kifu -c komadori-match -c komadori-train -a '(__komadori_offer)'
