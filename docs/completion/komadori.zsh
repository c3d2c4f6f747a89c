#compdef komadori komadori-csa komadori-kifu komadori-match komadori-train
# Completion of zsh for komadori and its tools, which print the words themselves (komadori.bash).

local text
local -a offered
text=$($words[1] --complete "${(@)words[2,CURRENT]}" 2>/dev/null </dev/null) || return 1
offered=(${(f)text})
if [[ $offered[1] == *= ]]; then compadd -S '' -a offered; else compadd -a offered || _files; fi
