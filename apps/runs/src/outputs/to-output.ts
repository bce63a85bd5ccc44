import type { Result } from '@millrace/contracts/kit/operation';
import type { downloadOutput, listRunOutputs } from '@millrace/contracts/runs/outputs';
import type { Output } from '@millrace/persistence/generated/client';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A human-readable size: `1.5 MiB`. */
export function prettySize(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step]}`;
}

/** The content of an output as users may see it, without the secret values that later steps find in it. */
export function toContent({
  path,
  ...row
}: Pick<Output, 'path' | 'size' | 'sha256' | 'shownSize' | 'shownSha256'>): Result<typeof downloadOutput> {
  const name = path.split('/').at(-1) ?? path;
  return row.shownSha256 === null
    ? { name, sha256: row.sha256, size: Number(row.size) }
    : { name, sha256: row.shownSha256, size: Number(row.shownSize) };
}

export function toOutput(row: Output): Result<typeof listRunOutputs>['results'][number] {
  const { name, sha256, size } = toContent(row);
  const dot = name.lastIndexOf('.');
  return {
    id: row.id,
    run: String(row.runId),
    subjob: String(row.subjobId),
    node: row.node,
    label: row.label,
    ...(row.task > 0 && { task_index: row.task }),
    name,
    size,
    pretty_size: prettySize(size),
    format: dot > 0 ? name.slice(dot + 1) : '',
    path: row.path,
    sha256,
  };
}
