/** Draws the charts of `data.charts`, anew when the page's size or its colours change. */
export const CHARTS_SCRIPT = String.raw`
  const drawn = [];
  const draw = () => {
    for (const chart of drawn.splice(0)) chart.destroy();
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = { stroke: colour('--text'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line') } };
    for (const { id, labels, seconds, series } of data.charts) {
      const colours = [colour('--one'), colour('--two')];
      drawn.push(new uPlot({
        width: at(id).clientWidth, height: 220,
        scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(high, 1) * 1.1] } },
        axes: [{ ...axis, values: (_, ticks) => ticks.map((tick) => tick + ' s') }, { ...axis, size: 70, values: (_, ticks) => ticks.map(whole) }],
        series: [{ label: 'second' }, ...labels.map((label, index) => ({ label, stroke: colours[index], width: 2, spanGaps: true, points: { show: seconds.length < 40, fill: colours[index], size: 5 } }))],
      }, [seconds, ...series], at(id)));
    }
  };
  if (data.charts.length > 0) {
    draw();
    addEventListener('resize', draw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  }
`;
