# Completion of fish for komadori and its tools. The words come from the programs' own help, as in
# komadori.bash, which tells how.

function __komadori_offer
    set -l words (commandline -opc)
    set -l help ($words[1] --help 2>/dev/null </dev/null)
    switch (basename $words[1])
        case 'komadori-match*' 'komadori-train*'
            string replace -rf '^  (-\S+).*' '$1' -- $help
            if string match -q -- '-*' $words[-1]
                string replace -rf '^  ([a-z]+) +[a-z].*' '$1=' -- $help
            end
        case '*'
            if test (count $words) -eq 1
                string replace -rf '^  ([a-z]+) .*' '$1' -- $help
            else
                printf '%s\n' $help | awk -v command=$words[2] '
                    /^  [a-z]/ { is_it = $1 == command }
                    is_it' | string match -ra -- '--[a-z-]*'
            end
    end
end

complete -c komadori -c komadori-kifu -c komadori-match -c komadori-train -a '(__komadori_offer)'
