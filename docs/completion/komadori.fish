# Completion of fish for komadori and its tools, which print the words themselves (komadori.bash).

function __komadori_offer
    set -l words (commandline -opc)
    $words[1] --complete $words[2..-1] (commandline -ct) 2>/dev/null </dev/null
end

complete -c komadori -c komadori-csa -c komadori-kifu -c komadori-match -c komadori-train -a '(__komadori_offer)'
