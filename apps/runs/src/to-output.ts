import type { Result } from '@millrace/contracts/kit/operation';
import type { listRunOutputs } from '@millrace/contracts/runs/outputs';
import type { Output } from '@millrace/persistence/generated/client';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size for people: `1.5 MiB`. */
export function prettySize(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step]}`;
}

export function toOutput(row: Output): Result<typeof listRunOutputs>['results'][number] {
  const name = row.path.split('/').at(-1) ?? row.path;
  const dot = name.lastIndexOf('.');
  return {
    id: row.id,
    run: String(row.runId),
    subjob: String(row.subjobId),
    node: row.node,
    label: row.label,
    ...(row.task > 0 && { task_index: row.task }),
    name,
    size: Number(row.size),
    pretty_size: prettySize(Number(row.size)),
    format: dot > 0 ? name.slice(dot + 1) : '',
    path: row.path,
    sha256: row.sha256,
  };
}
