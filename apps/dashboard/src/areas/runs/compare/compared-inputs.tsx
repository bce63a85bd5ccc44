import { Link } from '@tanstack/react-router';
import type { RunComparison } from '@millrace/client';
import { formatBytes } from '../../../text/format-bytes.js';
import { countOf } from '../../../text/format-count.js';
import { Card } from '../../../ui/page.js';

type Input = RunComparison['inputs']['added'][number];

/** What was different before anything ran: the version and the inputs. */
export function ComparedInputs({ comparison }: { comparison: RunComparison }) {
  return (
    <div className="flex max-w-4xl flex-col gap-6 pb-8">
      <section>
        <h2 className="mb-2 text-base!">Version</h2>
        <VersionChanges comparison={comparison} />
      </section>
      <section>
        <h2 className="mb-2 text-base!">Inputs</h2>
        <InputChanges inputs={comparison.inputs} />
      </section>
    </div>
  );
}

function VersionChanges({ comparison: { a, b, same_plan: isSamePlan, version } }: { comparison: RunComparison }) {
  if (!version)
    return (
      <p className="text-sm text-muted">
        {a.workflow_info === b.workflow_info
          ? 'A version no longer exists, so the versions cannot be compared.'
          : 'The runs are of different workflows. Their steps are matched by name.'}
      </p>
    );
  if (version.same)
    return (
      <p className="text-sm text-muted">
        {isSamePlan
          ? 'Both runs executed the same version.'
          : 'The versions are the same, but a library module or a parameter was changed in between.'}
      </p>
    );
  const { nodes, edges, more } = version;
  const marks = [
    ...nodes.added.map((name) => ({ name, mark: '+', tone: 'text-succeeded', fields: [] as string[] })),
    ...nodes.removed.map((name) => ({ name, mark: '−', tone: 'text-failed', fields: [] as string[] })),
    ...nodes.changed.map(({ name, fields }) => ({ name, mark: '~', tone: 'text-stopped', fields })),
  ];
  return (
    <>
      <Card className="divide-y divide-line">
        {marks.map(({ name, mark, tone, fields }) => (
          <p key={`${mark} ${name}`} className="flex gap-3 px-3 py-1.5 text-sm">
            <span className={`font-mono ${tone}`}>{mark}</span>
            <span className="font-medium">{name}</span>
            <span className="wrap-text min-w-0 text-muted">{fields.join(', ')}</span>
          </p>
        ))}
      </Card>
      <p className="mt-2 text-sm text-muted">
        {edges > 0 && `${countOf(edges, 'connection')} changed. `}
        {more > 0 && `${countOf(more, 'more node')} changed. `}
        <Link
          to="/workflows/$workflowId/versions/$range"
          params={{ workflowId: a.workflow_info, range: `${a.workflow_version_info}...${b.workflow_version_info}` }}
          className="link"
        >
          Compare the versions
        </Link>
      </p>
    </>
  );
}

function InputChanges({ inputs: { added, removed, changed, same } }: { inputs: RunComparison['inputs'] }) {
  const rows = [
    ...changed.map(({ id, label, before, after }) => ({ id, label, before, after })),
    ...added.map((after) => ({ id: after.id, label: after.label, before: undefined, after })),
    ...removed.map((before) => ({ id: before.id, label: before.label, before, after: undefined })),
  ];
  if (rows.length === 0)
    return <p className="text-sm text-muted">{same === 0 ? 'The runs have no inputs.' : 'All inputs are the same.'}</p>;
  return (
    <>
      <Card className="overflow-x-auto">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="text-left text-xs text-muted">
              {['Input', 'First run', 'Second run'].map((name) => (
                <th key={name} scope="col" className="px-3 py-1.5 font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, label, before, after }) => (
              <tr key={id} className="border-t border-line align-top">
                <th scope="row" dir="auto" className="px-3 py-1.5 text-left font-medium">
                  {label ?? id}
                </th>
                <td className="px-3 py-1.5">
                  <InputValue input={before} />
                </td>
                <td className="px-3 py-1.5">
                  <InputValue input={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      {same > 0 && <p className="mt-2 text-sm text-muted">{countOf(same, 'other input')} the same.</p>}
    </>
  );
}

function InputValue({ input }: { input: Input | undefined }) {
  if (!input) return <span className="text-muted">–</span>;
  const { value, size, sha256 } = input;
  return (
    <>
      <span dir="auto" className="wrap-text font-mono text-xs">
        {value === undefined ? 'not recorded' : String(value)}
      </span>
      {size !== undefined && (
        <span className="text-xs text-muted" title={sha256}>
          {' '}
          · {formatBytes(size)}
        </span>
      )}
    </>
  );
}
