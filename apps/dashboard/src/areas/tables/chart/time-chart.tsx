import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { formatMoment } from '../grid/format-cell.js';
import { formatAmount } from './format-amount.js';
import type { Bar } from './value-bars.js';

const HEIGHT = 280;

/** Groups of times as bars, and below as a table. */
export function TimeChart({ label, points }: { label: string; points: readonly Bar[] }) {
  const host = useRef<HTMLDivElement>(null);
  const timed = timedOf(points);
  const missing = points.find(({ value }) => value === null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const chart = drawChart(element, timedOf(points));
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [points]);
  return (
    <>
      <div ref={host} role="img" aria-label={label} className="w-full text-accent" />
      <div className="mt-4 max-h-80 max-w-lg overflow-y-auto" tabIndex={0} role="region" aria-label="Amounts">
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-panel text-left text-xs text-muted">
            <tr>
              <th scope="col" className="h-8 px-3 font-medium">
                From (UTC)
              </th>
              <th scope="col" className="h-8 px-3 text-right font-medium">
                Amount
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {timed.map(({ value, amount }) => (
              <tr key={value}>
                <td className="nums h-7 px-3">{formatMoment(value)}</td>
                <td className="nums h-7 px-3 text-right">{formatAmount(amount)}</td>
              </tr>
            ))}
            {missing && (
              <tr>
                <td className="h-7 px-3 text-muted">No time</td>
                <td className="nums h-7 px-3 text-right">{formatAmount(missing.amount)}</td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface TimePoint {
  value: string;
  amount: number;
}

const timedOf = (points: readonly Bar[]): TimePoint[] =>
  points.filter((point): point is TimePoint => typeof point.value === 'string');

function drawChart(element: HTMLElement, points: readonly TimePoint[]): uPlot {
  const probe = getComputedStyle(element);
  const [bar, text, line] = [probe.color, colourOf(element, '--grey-11'), colourOf(element, '--grey-6')];
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: '12px Inter Variable' };
  const bars = uPlot.paths.bars?.({ size: [0.85, 60], align: 1 });
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { y: { range: (_chart, _min, max) => [0, max === 0 ? 1 : max * 1.05] } },
      axes: [
        { ...axis, values: TIME_LABELS },
        { ...axis, size: 70, values: (_chart, ticks) => ticks.map(formatAmount) },
      ],
      series: [{}, { stroke: bar, fill: bar, width: 0, points: { show: false }, ...(bars && { paths: bars }) }],
    },
    [points.map(({ value }) => Date.parse(value) / 1000), points.map(({ amount }) => amount)],
    element,
  );
}

const [YEAR, MONTH, DAY, HOUR, MINUTE, SECOND] = [
  '{YYYY}',
  '{YYYY}-{MM}',
  '{MM}-{DD}',
  '{HH}:{mm}',
  '{HH}:{mm}',
  '{HH}:{mm}:{ss}',
];
const DATE = '\n{MM}-{DD}';

/** Labels of the time axis by the distance of its marks in seconds, as the `values` of uPlot: 24 hours, and the date where it changes. */
const TIME_LABELS: uPlot.Axis.Values = [
  [31_536_000, YEAR, null, null, null, null, null, null, 1],
  [2_419_200, MONTH, null, null, null, null, null, null, 1],
  [86_400, DAY, '\n{YYYY}', null, null, null, null, null, 1],
  [3_600, HOUR, DATE, null, DATE, null, null, null, 1],
  [60, MINUTE, DATE, null, DATE, null, null, null, 1],
  [1, SECOND, DATE, null, DATE, null, null, null, 1],
];

/** A token as a colour that a canvas understands. */
function colourOf(element: HTMLElement, token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
