import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunComparison } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { Card } from '../../../ui/page.js';
import { Time } from '../../../ui/time.js';
import { RunStatus } from '../shared/run-status.js';
import { Difference } from './difference.js';

/** Status, duration, cost and counts of both runs. */
export function ComparedRuns({ comparison: { a, b, difference } }: { comparison: RunComparison }) {
  return (
    <Card className="mx-6 overflow-x-auto max-sm:mx-4">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="text-left text-xs text-muted">
            <td className="w-32 px-3 py-2" />
            {Object.entries({ a, b }).map(([side, run]) => (
              <th key={side} scope="col" className="max-w-80 px-3 py-2 font-normal">
                <Link to="/runs/$runId" params={{ runId: run.id }} className="link text-sm font-medium">
                  #{run.id}
                </Link>{' '}
                <span dir="auto">{run.name}</span>
              </th>
            ))}
            <th scope="col" className="px-3 py-2 font-normal">
              Difference
            </th>
          </tr>
        </thead>
        <tbody className="nums">
          <Row name="Status" a={<RunStatus run={withFlags(a)} />} b={<RunStatus run={withFlags(b)} />} />
          <Row name="Started" a={timeOf(a)} b={timeOf(b)} />
          <Row
            name="Duration"
            a={durationOf(a.duration_ms)}
            b={durationOf(b.duration_ms)}
            difference={
              difference.duration_ms !== undefined && (
                <Difference value={difference.duration_ms} format={formatDuration} />
              )
            }
          />
          <Row
            name="Units"
            a={formatCount(a.execution_units)}
            b={formatCount(b.execution_units)}
            difference={<Difference value={difference.execution_units} format={formatCount} />}
          />
          {(['total', 'succeeded', 'failed', 'skipped', 'stopped'] as const)
            .filter((name) => name === 'total' || a.run_insights[name] + b.run_insights[name] > 0)
            .map((name) => (
              <Row
                key={name}
                name={name === 'total' ? 'Subjobs' : name.replace(/^./, (letter) => letter.toUpperCase())}
                a={formatCount(a.run_insights[name])}
                b={formatCount(b.run_insights[name])}
                difference={<Difference value={b.run_insights[name] - a.run_insights[name]} format={formatCount} />}
              />
            ))}
        </tbody>
      </table>
    </Card>
  );
}

const Row = ({ name, a, b, difference }: { name: string; a: ReactNode; b: ReactNode; difference?: ReactNode }) => (
  <tr className="border-t border-line">
    <th scope="row" className="px-3 py-1.5 text-left font-normal text-muted">
      {name}
    </th>
    <td className="px-3 py-1.5">{a}</td>
    <td className="px-3 py-1.5">{b}</td>
    <td className="px-3 py-1.5 text-muted">{difference}</td>
  </tr>
);

type Side = RunComparison['a'];

const withFlags = (run: Side) => ({ ...run, paused: false, stalled: false });
const timeOf = (run: Side) => <Time value={run.started_date ?? run.created_date} />;
const durationOf = (ms: number | undefined) => (ms === undefined ? '–' : formatDuration(ms));
