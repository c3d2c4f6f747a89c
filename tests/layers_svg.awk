# Draws the layers of src/ as an SVG picture: a box for each directory, above all that its files include, and a
# line to each of these that is not reached through another one. usage: awk -f tests/layers_svg.awk FILE... with
# sorted paths that start at src/.

FNR == 1 {
    dir = FILENAME
    sub(/^src\//, "", dir)
    sub(/\/[^\/]*$/, "", dir)
    if (!(dir in known)) {
        known[dir] = 1
        name[++count] = dir
    }
}

/^#include "/ {
    to = $2
    gsub(/"/, "", to)
    if (sub(/\/[^\/]*$/, "", to) && to != dir && to != "komadori") {
        includes[dir, to] = 1
    }
}

# One more than the highest directory that it includes.
function rank_of(dir,    i, rank) {
    if (!(dir in ranks)) {
        rank = 0
        for (i = 1; i <= count; i++) {
            if (((dir, name[i]) in includes) && rank_of(name[i]) >= rank) {
                rank = rank_of(name[i]) + 1
            }
        }
        ranks[dir] = rank
    }
    return ranks[dir]
}

function is_indirect(dir, to,    i) {
    for (i = 1; i <= count; i++) {
        if (name[i] != to && ((dir, name[i]) in includes) &&
            (((name[i], to) in includes) || is_indirect(name[i], to))) {
            return 1
        }
    }
    return 0
}

END {
    width = 860
    for (i = 1; i <= count; i++) {
        rank = rank_of(name[i])
        highest = rank > highest ? rank : highest
        place[name[i]] = ++row_count[rank]
    }
    height = (highest + 1) * 76 + 20
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n", width, height
    print "<title>The layers of src: each box stands above what it includes</title>"
    print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    for (i = 1; i <= count; i++) {
        x[name[i]] = width * (2 * place[name[i]] - 1) / (2 * row_count[ranks[name[i]]])
        y[name[i]] = 20 + (highest - ranks[name[i]]) * 76
    }
    for (i = 1; i <= count; i++) {
        for (k = 1; k <= count; k++) {
            if (((name[i], name[k]) in includes) && !is_indirect(name[i], name[k])) {
                printf "<path d=\"M%d %dL%d %d\" stroke=\"#8a8f98\" fill=\"none\"/>\n", x[name[i]],
                    y[name[i]] + 44, x[name[k]], y[name[k]]
            }
        }
    }
    for (i = 1; i <= count; i++) {
        printf "<rect x=\"%d\" y=\"%d\" width=\"104\" height=\"44\" rx=\"6\" fill=\"#eef3fb\" stroke=\"#3b5b92\"/>\n",
            x[name[i]] - 52, y[name[i]]
        printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"14\">%s</text>\n", x[name[i]],
            y[name[i]] + 27, name[i]
    }
    print "</svg>"
}
