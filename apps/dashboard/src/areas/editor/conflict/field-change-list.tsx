import { fieldChanges, showValue } from './field-changes.js';

/** What changed from one record to another: the old value crossed out, the new one below. */
export function FieldChangeList({ before, after }: { before: unknown; after: unknown }) {
  if (before === undefined && after === undefined) return <p className="text-xs text-muted">not there</p>;
  if (before === undefined) return <p className="text-xs text-succeeded">added</p>;
  if (after === undefined) return <p className="text-xs text-failed">removed</p>;
  const changes = fieldChanges(before, after);
  if (changes.length === 0) return <p className="text-xs text-muted">unchanged</p>;
  return (
    <dl className="flex flex-col gap-1.5">
      {changes.map(({ path, before: from, after: to }) => (
        <div key={path}>
          <dt className="wrap-text font-mono text-xs text-muted">{path === 'meta.coordinates' ? 'position' : path}</dt>
          {path !== 'meta.coordinates' && path !== 'coordinates' && (
            <dd className="flex flex-col gap-0.5">
              {from !== undefined && <Value text={showValue(from)} tone="removed" />}
              {to !== undefined && <Value text={showValue(to)} tone="added" />}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** Long scripts are cut: the YAML has them in full. */
const MAX_SHOWN = 2_000;

const Value = ({ text, tone }: { text: string; tone: 'added' | 'removed' }) => (
  <pre
    className={`wrap-text max-h-40 overflow-y-auto rounded-sm px-1.5 py-0.5 font-mono text-xs whitespace-pre-wrap ${tone === 'added' ? 'bg-succeeded-soft' : 'bg-failed-soft line-through decoration-muted'}`}
    tabIndex={text.length > 400 ? 0 : undefined}
  >
    <span className="sr-only">{tone === 'added' ? 'after: ' : 'before: '}</span>
    {text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}
  </pre>
);
