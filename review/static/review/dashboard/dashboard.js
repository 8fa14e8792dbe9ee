// The data beside each plot -> its drawing. All looks come from the style sheet: the content policy allows no inline style.
"use strict";
(() => {
  const language = document.documentElement.lang;
  const say = document.getElementById("drawing-words").dataset;
  const digits = (value, places) => value.toLocaleString(language, { minimumFractionDigits: places, maximumFractionDigits: places });
  const count = (value) => value.toLocaleString(language);
  const rate = (value) => (value === null || value === undefined ? "–" : value > 0 && value < 0.00005 ? `< ${digits(0.0001, 4)}` : value !== 0 && Math.abs(value) < 0.01 ? digits(value, 4) : digits(value, 3));
  const percent = (value) => (value === null ? "–" : `${digits(100 * value, 1)} %`);
  const mark = digits(0.5, 1).charAt(1); // of decimals
  const localised = (text) => (mark === "." ? text : text.replace(".", mark).replace("%", "\u00a0%"));
  const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const seconds = (value) => (value > 0 && value < 0.1 ? `${count(Math.max(1, Math.round(1000 * value)))} ms` : value < 10 ? `${localised(d3.format(".2~r")(value))} s` : value < 120 ? `${localised(d3.format(".3~r")(value))} s` : value < 7200 ? `${Math.round(value / 60)} min` : `${digits(value / 3600, 1)} h`);
  const known = (value) => value !== null && value !== undefined;

  function canvas(box, height, label) {
    const width = Math.max(280, box.clientWidth);
    box.replaceChildren();
    const svg = d3.select(box).append("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height)
      .attr("role", "img").attr("aria-label", label);
    return { svg, width, height };
  }

  function axis(svg, scale, side, at, length, format, ticks) {
    const make = side === "bottom" ? d3.axisBottom(scale) : d3.axisLeft(scale);
    make.ticks(ticks).tickSizeInner(-length).tickSizeOuter(0).tickPadding(8);
    if (format) make.tickFormat(format);
    const group = svg.append("g").attr("class", "axis").attr("transform", side === "bottom" ? `translate(0,${at})` : `translate(${at},0)`);
    group.call(make);
    group.attr("font-family", null).attr("font-size", null).attr("fill", null);
    group.selectAll("[stroke]").attr("stroke", null);
    group.selectAll("[fill]").attr("fill", null);
    return group;
  }

  // As many digits as tell two neighbouring ticks apart.
  const tickFormat = (scale, ticks) => {
    const format = scale.tickFormat(ticks, "%");
    return (value) => localised(format(value));
  };

  // Labels go where none is yet; a rule without room is still told by its title and the table.
  function placeLabels(points, width) {
    const taken = points.map((point) => [point.x - 6, point.y - 6, point.x + 6, point.y + 6]);
    const free = (box) => box[0] > 0 && box[2] < width && !taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]);
    for (const point of points) {
      const wide = point.text.length * 7.4;
      const tries = [[9, -7, "start"], [9, 15, "start"], [-9, -7, "end"], [-9, 15, "end"], [-9, 4, "end"], [9, 4, "start"]]; // intervals run to the right
      for (const [dx, dy, anchor] of tries) {
        const left = anchor === "start" ? point.x + dx : point.x + dx - wide;
        const box = [left, point.y + dy - 11, left + wide, point.y + dy + 3];
        if (free(box)) {
          taken.push(box);
          point.label = { x: point.x + dx, y: point.y + dy, anchor };
          break;
        }
      }
    }
  }

  // Rules that lie on one another share a label: the first one's name, and how many more there are.
  function firstOfEach(points) {
    const near = (one, other) => Math.abs(one.x - other.x) < 4 && Math.abs(one.y - other.y) < 4 && one.whole === other.whole;
    return points.filter((point, number) => {
      if (points.slice(0, number).some((other) => near(point, other))) return false;
      const others = points.slice(number + 1).filter((other) => near(point, other)).length;
      if (others) point.text += ` +${others}`;
      return true;
    });
  }

  function drawRates(box, data) {
    const rows = data.rows.filter((row) => known(row.tdp) && known(row.frp));
    if (!rows.length) return false;
    const { svg, width, height } = canvas(box, Math.min(460, Math.max(340, box.clientWidth * 0.5)), `${data.title}; ${say.table}`);
    const edge = { left: 62, right: 18, top: 30, bottom: 50 };
    const ceiling = data.ceiling;
    // Worst cases reach far beyond every point: their lines are cut at the edge, so that the points do not share a corner.
    const reach = (row, name) => (row.bound === "worst cases" ? Math.min(row[`${name}_high`] ?? row[name], 3 * row[name]) : row[`${name}_high`] ?? row[name]);
    const top = Math.min(1, Math.max(ceiling ? ceiling.value : 0, d3.max(rows, (row) => reach(row, "tdp"))) * 1.06 || 0.01);
    const wide = Math.min(1, d3.max(rows, (row) => reach(row, "frp")) * 1.06 || 0.01);
    const x = d3.scaleLinear([0, wide], [edge.left, width - edge.right]);
    const y = d3.scaleLinear([0, top], [height - edge.bottom, edge.top]);
    axis(svg, x, "bottom", height - edge.bottom, height - edge.bottom - edge.top, tickFormat(x, width < 500 ? 4 : 8), width < 500 ? 4 : 8);
    axis(svg, y, "left", edge.left, width - edge.left - edge.right, tickFormat(y, 6), 6);
    if (ceiling) drawCeiling(svg, ceiling, y, edge, width, top);
    svg.append("text").attr("class", "axis-name").attr("x", width - edge.right).attr("y", height - 10).attr("text-anchor", "end").text(say.frp);
    svg.append("text").attr("class", "axis-name").attr("x", edge.left - 46).attr("y", 16).text(say.tdp);
    const corner = svg.append("g").attr("class", "ideal").attr("transform", `translate(${edge.left},${ceiling ? y(ceiling.value) : edge.top})`);
    corner.append("path").attr("d", d3.symbol(d3.symbolStar, ceiling ? 420 : 130)());
    corner.append("text").attr("x", 12).attr("y", ceiling ? -9 : 5).text(say.ideal);
    const crowded = rows.length > 25;
    const marks = svg.selectAll(".rule").data(rows).join("g").attr("class", (row) => `rule ${row.bound === "worst cases" ? "bound" : "all"}${row.rule === data.whole ? " whole" : ""}${crowded ? " crowded" : ""}`).attr("data-rule", (row) => row.rule);
    marks.append("title").text((row) => `${row.said}\nTDP ${rate(row.tdp)} (${rate(row.tdp_low)} ${say.to} ${rate(row.tdp_high)})\nFRP ${rate(row.frp)} (${rate(row.frp_low)} ${say.to} ${rate(row.frp_high)})\n${count(row.verified)} ${say.of} ${count(row.positive)} ${say.verified}`);
    marks.append("path").attr("class", "interval").attr("d", (row) =>
      `M${x(row.frp_low ?? row.frp)},${y(row.tdp)}H${x(Math.min(wide, row.frp_high ?? row.frp))}M${x(row.frp)},${y(row.tdp_low ?? row.tdp)}V${y(Math.min(top, row.tdp_high ?? row.tdp))}`);
    marks.filter((row) => row.rule !== data.whole).append("circle").attr("cx", (row) => x(row.frp)).attr("cy", (row) => y(row.tdp)).attr("r", crowded ? 4 : 5.5);
    marks.filter((row) => row.rule === data.whole).append("path").attr("class", "diamond").attr("d", d3.symbol(d3.symbolDiamond2, 170)())
      .attr("transform", (row) => `translate(${x(row.frp)},${y(row.tdp)})`);
    marks.filter((row) => row.rule === data.whole).raise();
    const points = rows.map((row) => ({ x: x(row.frp), y: y(row.tdp), whole: row.rule === data.whole, text: row.rule === data.whole ? say.whole : short(row.said, 30) }));
    const named = firstOfEach(points);
    placeLabels(named, width);
    svg.selectAll(".rule-name").data(named.filter((point) => point.label)).join("text").attr("class", "rule-name")
      .attr("x", (point) => point.label.x).attr("y", (point) => point.label.y).attr("text-anchor", (point) => point.label.anchor).text((point) => point.text);
    return true;
  }

  function drawCeiling(svg, ceiling, y, edge, width, top) {
    const group = svg.append("g").attr("class", "ceiling");
    group.append("rect").attr("x", edge.left).attr("width", width - edge.left - edge.right)
      .attr("y", y(Math.min(top, ceiling.high))).attr("height", Math.max(0, y(ceiling.low) - y(Math.min(top, ceiling.high))));
    group.append("path").attr("d", `M${edge.left},${y(ceiling.value)}H${width - edge.right}`);
    // Above the band, where no rule is expected; at the top of the drawing where the band reaches it.
    group.append("text").attr("x", width - edge.right - 6).attr("y", Math.max(edge.top + 12, y(Math.min(top, ceiling.high)) - 5)).attr("text-anchor", "end")
      .text(`P[PHI] ${rate(ceiling.value)} (${rate(ceiling.low)} ${say.to} ${rate(ceiling.high)}); ${say.ceiling}`);
  }

  function series(svg, groups, x, y, edge, width, legendTop) {
    let left = edge.left, line = 0;
    const few = groups.length < 3;
    groups.forEach(([name, points], number) => {
      const aside = few ? 0 : (number - (groups.length - 1) / 2) * Math.min(5, 60 / groups.length);
      const across = (point) => x(point.at) + aside;
      const shown = points.filter((point) => known(point.value));
      const group = svg.append("g").attr("class", `series s${number % 8}`).attr("data-series", name);
      if (few && shown.length > 1 && shown.every((point) => known(point.low))) {
        group.append("path").attr("class", "band").attr("d", d3.area(across, (point) => y(point.low), (point) => y(point.high))(shown));
      } else {
        group.selectAll(".interval").data(shown.filter((point) => known(point.low))).join("path").attr("class", "interval").attr("d", (point) => `M${across(point)},${y(point.low)}V${y(point.high)}`);
      }
      // A worst case is no value, so no line leads to or from it.
      group.append("path").attr("class", "line").attr("d", d3.line(across, (point) => y(point.value)).defined((point) => point.bound !== "worst cases")(shown));
      group.selectAll("circle").data(shown).join("circle").attr("cx", across).attr("cy", (point) => y(point.value)).attr("r", 4)
        .attr("class", (point) => (point.bound === "worst cases" ? "bound" : null))
        .append("title").text((point) => `${name}, ${point.at}\n${rate(point.value)}${known(point.low) ? ` (${rate(point.low)} ${say.to} ${rate(point.high)}${point.bound ? `: ${point.bound}` : ""})` : ""}`);
      const wide = 34 + short(name, 34).length * 6.8;
      if (left + wide > width && left > edge.left) { left = edge.left; line += 1; }
      const key = svg.append("g").attr("class", `key s${number % 8}`).attr("transform", `translate(${left},${legendTop + 18 * line})`);
      key.append("circle").attr("r", 4).attr("cy", -4);
      key.append("text").attr("x", 9).text(short(name, 34));
      left += wide;
    });
  }

  function legendLines(names, room) {
    let left = 0, lines = 1;
    for (const name of names) {
      const wide = 34 + short(name, 34).length * 6.8;
      if (left + wide > room && left > 0) { left = 0; lines += 1; }
      left += wide;
    }
    return lines;
  }

  const whenOf = (text) => d3.timeParse("%Y-%m-%d %H:%M")(text) ?? d3.timeParse("%Y-%m-%d")(text) ?? d3.timeParse("%G-W%V-%u")(`${text}-1`);

  // Time is to scale: two scans a year apart stand further apart than two a week apart.
  function overTime(box, data, groups, places, top, format) {
    const edge = { left: 62, right: 24, top: 16, bottom: 44 };
    const lines = legendLines(groups.map((group) => group[0]), Math.max(280, box.clientWidth) - edge.left);
    const { svg, width, height } = canvas(box, 300 + 18 * lines, `${data.title}; ${say.table}`);
    edge.top += 18 * lines;
    const [from, to] = d3.extent(places, whenOf);
    const day = 86400000;
    const span = to > from ? [from, to] : [new Date(from.getTime() - day), new Date(to.getTime() + day)];
    const time = d3.scaleTime(span, [edge.left + 34, width - edge.right - 34]);
    const x = (text) => time(whenOf(text));
    const y = d3.scaleLinear([0, top], [height - edge.bottom, edge.top]).nice();
    const room = Math.max(2, Math.floor(width / 110));
    // Few moments are named themselves, each by its day; of many, round dates in between.
    const apart = places.every((text, number) => !number || x(text) - x(places[number - 1]) > 80);
    const bottom = d3.axisBottom(time).tickSize(0).tickPadding(10);
    const sameDay = new Set(places.map((text) => text.slice(0, 10))).size < places.length;
    if (apart) bottom.tickValues(places.map(whenOf)).tickFormat((_, number) => (sameDay ? places[number].slice(5) : places[number].slice(0, 10)));
    else bottom.ticks(room).tickFormat(to - from < 3 * day ? d3.timeFormat("%m-%d %H:%M") : d3.timeFormat("%Y-%m-%d"));
    const group = svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - edge.bottom})`).call(bottom);
    group.attr("font-family", null).attr("font-size", null).attr("fill", null);
    group.selectAll("[stroke]").attr("stroke", null);
    group.selectAll("[fill]").attr("fill", null);
    axis(svg, y, "left", edge.left, width - edge.left - edge.right, format ?? tickFormat(y, 5), 5);
    series(svg, groups, x, y, edge, width, 16);
    return true;
  }

  function drawLines(box, data) {
    const rows = data.rows.filter((row) => known(row.value));
    if (!rows.length) return false;
    const places = [...new Set(data.rows.map((row) => row.day))];
    const groups = d3.groups(data.rows.map((row) => ({ at: row.day, value: row.value, low: row.low, high: row.high, bound: row.bound, name: row.said ?? row.series })), (point) => point.name);
    const top = Math.min(1, d3.max(rows, (row) => row.high ?? row.value) * 1.05 || 0.01);
    return overTime(box, data, groups, places, top);
  }

  function drawWeeks(box, data) {
    const places = data.rows.map((row) => row.day);
    const groups = data.series.map((key, number) => [data.names[number], data.rows.map((row) => ({ at: row.day, value: row[key] }))]);
    if (!groups.some(([, points]) => points.some((point) => known(point.value)))) return false;
    return overTime(box, data, groups, places, data.top, (value) => digits(value, 1));
  }

  // Where each word of a key begins; a word that has no room begins another line.
  function keyPlaces(names, from, width) {
    let x = from;
    let line = 0;
    return names.map((name) => {
      const room = 28 + name.length * 6.4;
      if (x > from && x + room > width) [x, line] = [from, line + 1];
      const place = { x: x + 5, line };
      x += room;
      return place;
    });
  }

  function barFrame(box, data, rows, names) {
    const narrow = box.clientWidth < 560;
    const step = narrow ? 40 : 27;
    const keys = keyPlaces(names ?? [], narrow ? 4 : 60, Math.max(280, box.clientWidth));
    const lines = names ? 6 + 20 * (1 + d3.max(keys, (key) => key.line)) : 6;
    const { svg, width, height } = canvas(box, lines + rows.length * step + 6, `${data.title}; ${say.table}`);
    const left = narrow ? 4 : Math.min(320, 24 + 7.4 * d3.max(rows, (row) => Math.min(38, String(row.said ?? row.label).length)));
    const groups = svg.selectAll(".bar").data(rows).join("g").attr("class", "bar").attr("data-label", (row) => row.label).attr("transform", (_, number) => `translate(0,${lines + number * step})`);
    groups.append("text").attr("class", "bar-name").attr("x", narrow ? 4 : left - 10).attr("y", narrow ? 13 : 17).attr("text-anchor", narrow ? "start" : "end").text((row) => short(String(row.said ?? row.label), narrow ? 46 : 38));
    return { svg, groups, width, height, left, keys, top: narrow ? 18 : 4, right: 110, thick: narrow ? 14 : 18 };
  }

  function drawBars(box, data) {
    const rows = data.rows.slice(0, data.most ?? 40);
    if (!rows.some((row) => known(row.value))) return false;
    const frame = barFrame(box, data, rows);
    const most = d3.max(rows, (row) => row.high ?? row.value) || 1;
    const x = d3.scaleLinear([0, most], [frame.left, frame.width - frame.right]);
    const tone = (row) => (data.tones ? `tone-${row.label}` : data.tone ? `tone-${row[data.tone]}` : "tone-plain");
    const written = (row) => (!known(row.value) ? "–" : data.percent ? percent(row.value) : data.how === "seconds" ? seconds(row.value) : count(row.value));
    const wide = (value) => (value > 0 ? Math.max(1.5, x(value) - frame.left) : 0);
    frame.groups.append("rect").attr("class", (row) => (data.part ? "ghost" : tone(row))).attr("x", frame.left).attr("y", frame.top).attr("height", frame.thick).attr("width", (row) => wide(row.value ?? 0));
    if (data.part) frame.groups.append("rect").attr("class", tone).attr("x", frame.left).attr("y", frame.top).attr("height", frame.thick).attr("width", (row) => wide(row[data.part]));
    frame.groups.filter((row) => known(row.low)).append("path").attr("class", "interval").attr("d", (row) => `M${x(row.low)},${frame.top + frame.thick / 2}H${x(row.high)}`);
    frame.groups.append("text").attr("class", "bar-value").attr("x", (row) => x(Math.max(row.high ?? 0, row.value ?? 0)) + 8).attr("y", frame.top + frame.thick / 2 + 5).text(written);
    if (data.rows.length > rows.length) d3.select(box).append("p").attr("class", "more").text(`${count(data.rows.length - rows.length)} ${say.more}`);
    return true;
  }

  function drawStacks(box, data) {
    const rows = data.rows;
    const frame = barFrame(box, data, rows, data.names);
    const x = d3.scaleLinear([0, d3.max(rows, (row) => row.value) || 1], [frame.left, frame.width - frame.right]);
    data.names.forEach((name, number) => {
      const key = frame.svg.append("g").attr("class", `key age${number}`).attr("transform", `translate(${frame.keys[number].x},${16 + 20 * frame.keys[number].line})`);
      key.append("rect").attr("x", -5).attr("y", -9).attr("width", 10).attr("height", 10);
      key.append("text").attr("x", 10).text(name);
    });
    frame.groups.each(function (row) {
      let from = 0;
      data.stack.forEach((key, number) => {
        if (!row[key]) return;
        d3.select(this).append("rect").attr("class", `age${number}`).attr("x", x(from)).attr("y", frame.top).attr("height", frame.thick).attr("width", Math.max(1, x(from + row[key]) - x(from)))
          .append("title").text(`${row.said ?? row.label}: ${count(row[key])} ${data.names[number]}`);
        from += row[key];
      });
    });
    frame.groups.append("text").attr("class", "bar-value").attr("x", (row) => x(row.value) + 8).attr("y", frame.top + frame.thick / 2 + 5).text((row) => count(row.value));
    return true;
  }

  function drawRatios(box, data) {
    const rows = data.rows.filter((row) => row.value > 0 || row.high > 0);
    if (!rows.length) return false;
    const frame = barFrame(box, data, rows);
    const ends = [1, ...rows.flatMap((row) => [row.value, row.low, row.high])].filter((value) => value > 0);
    const far = Math.max(d3.max(ends), 1 / d3.min(ends), 1.25) * 1.08;
    const x = d3.scaleLog([1 / far, far], [frame.left, frame.width - frame.right]);
    frame.svg.append("path").attr("class", "even").attr("d", `M${x(1)},0V${frame.height}`);
    frame.groups.filter((row) => known(row.low)).append("path").attr("class", "interval strong").attr("d", (row) => `M${x(Math.max(row.low, 1 / far))},${frame.top + frame.thick / 2}H${x(row.high)}`);
    frame.groups.filter((row) => row.value > 0).append("circle").attr("class", "ratio").attr("r", 6).attr("cx", (row) => x(row.value)).attr("cy", frame.top + frame.thick / 2);
    frame.groups.append("text").attr("class", "bar-value").attr("x", frame.width - frame.right + 8).attr("y", frame.top + frame.thick / 2 + 5).text((row) => (row.value > 0 ? `× ${digits(row.value, 2)}` : `× ${digits(row.low, 2)} ${say.to} ${digits(row.high, 2)}`));
    return true;
  }

  function drawRadius(box, data) {
    const { svg, width, height } = canvas(box, 280, `${data.title}; ${say.table}`);
    const edge = { left: 70, right: 18, top: 34, bottom: 46 };
    const x = d3.scaleBand(data.rows.map((row) => row.radius), [edge.left, width - edge.right]).padding(0.25);
    const y = d3.scaleLinear([0, d3.max(data.rows, (row) => row.positive) || 1], [height - edge.bottom, edge.top]).nice();
    axis(svg, y, "left", edge.left, width - edge.left - edge.right, d3.format("~s"), 5);
    const bars = svg.selectAll(".radius").data(data.rows).join("g").attr("class", (row) => (row.radius === data.chosen ? "radius chosen" : "radius")).attr("data-radius", (row) => row.radius);
    bars.append("title").text((row) => `radius ${row.radius}: ${count(row.positive)} flagged, ${count(row.verified)} verified`);
    bars.append("rect").attr("class", "ghost").attr("x", (row) => x(row.radius)).attr("width", x.bandwidth()).attr("y", (row) => y(row.positive)).attr("height", (row) => y(0) - y(row.positive));
    bars.append("rect").attr("class", "tone-plain").attr("x", (row) => x(row.radius)).attr("width", x.bandwidth()).attr("y", (row) => y(row.verified)).attr("height", (row) => y(0) - y(row.verified));
    bars.append("text").attr("class", "axis-name").attr("text-anchor", "middle").attr("x", (row) => x(row.radius) + x.bandwidth() / 2).attr("y", height - edge.bottom + 18).text((row) => row.radius);
    svg.append("text").attr("class", "axis-name").attr("x", width - edge.right).attr("y", height - 8).attr("text-anchor", "end").text(say.bits);
    svg.append("text").attr("class", "axis-name").attr("x", 4).attr("y", 16).text(say.files);
    return true;
  }

  function drawTreemap(box, data) {
    const rows = data.rows.filter((row) => row.value > 0);
    if (!rows.length) return false;
    const { svg, width, height } = canvas(box, Math.max(360, Math.min(560, box.clientWidth * 0.6)), `${data.title}; ${say.table}`);
    const root = d3.hierarchy({ children: d3.groups(rows, (row) => row.group).map(([name, children]) => ({ name, children })) }).sum((node) => node.value ?? 0).sort((a, b) => b.value - a.value);
    d3.treemap().size([width, height - 26]).paddingInner(2).paddingTop((node) => (node.depth === 1 && node.children.length > 1 ? 20 : 2)).round(true)(root);
    svg.attr("role", "group"); // its boxes are links, which a picture cannot hold
    const most = d3.max(rows, (row) => row.share) || 1;
    const level = (share) => (share <= 0 ? 0 : Math.min(6, Math.ceil((6 * share) / most)));
    const field = svg.append("g").attr("transform", "translate(0,26)");
    for (const group of root.children.filter((node) => node.children.length > 1)) {
      field.append("text").attr("class", "group-name").attr("x", group.x0 + 4).attr("y", group.y0 + 15).text(short(group.data.name, Math.max(0, Math.floor((group.x1 - group.x0 - 8) / 7.2))));
    }
    for (const node of root.leaves()) {
      const row = node.data;
      const link = row.link ? field.append("a").attr("href", row.link) : field.append("g");
      link.append("title").text(`${row.label}\n${say.boxed.replace("{files}", count(row.value)).replace("{referred}", count(row.referred))} (${percent(row.share)})`);
      link.append("rect").attr("class", `heat h${level(row.share)}`).attr("data-label", row.label).attr("x", node.x0).attr("y", node.y0).attr("width", Math.max(0, node.x1 - node.x0)).attr("height", Math.max(0, node.y1 - node.y0));
      const room = Math.floor((node.x1 - node.x0 - 8) / 6.8);
      const name = row.label.split("/").filter(Boolean).pop() ?? row.label;
      if (room > 3 && node.y1 - node.y0 > 18) link.append("text").attr("class", `box-name h${level(row.share)}`).attr("x", node.x0 + 5).attr("y", node.y0 + 15).text(short(name, room));
      if (room > 8 && node.y1 - node.y0 > 36) link.append("text").attr("class", `box-value h${level(row.share)}`).attr("x", node.x0 + 5).attr("y", node.y0 + 31).text(`${count(row.referred)} ${say.of} ${count(row.value)}`);
    }
    const legend = svg.append("g").attr("class", "key");
    const stripe = width < 400 ? 12 : 20;
    const before = legend.append("text").attr("x", 0).attr("y", 15).text(say.referred).node().getComputedTextLength() + 8;
    for (let step = 0; step <= 6; step += 1) legend.append("rect").attr("class", `heat h${step}`).attr("x", before + stripe * step).attr("y", 4).attr("width", stripe).attr("height", 14);
    legend.append("text").attr("x", before + 8 + 7 * stripe).attr("y", 15).text(percent(most));
    return true;
  }

  const kinds = { rates: drawRates, lines: drawLines, weeks: drawWeeks, bars: drawBars, stacks: drawStacks, ratios: drawRatios, radius: drawRadius, treemap: drawTreemap };

  function draw() {
    for (const box of document.querySelectorAll(".drawing")) {
      const data = JSON.parse(document.getElementById(box.dataset.plot).textContent);
      const drawn = kinds[data.kind](box, data);
      if (!drawn) box.replaceChildren();
      box.closest("figure").querySelector(".unmeasured").hidden = drawn;
      box.dataset.drawn = drawn ? "yes" : "no";
    }
  }

  let waiting;
  draw();
  window.addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); });
})();
