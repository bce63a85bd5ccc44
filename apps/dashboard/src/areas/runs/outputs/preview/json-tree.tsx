import { countOf } from '../../../../text/format-count.js';

const MAX_CHILDREN = 200;

/** A JSON value as a tree that opens by branch. Closed branches are not in the document. */
export const JsonTree = ({ value }: { value: unknown }) => (
  <div className="overflow-x-auto p-3 font-mono text-xs leading-5">
    <Branch value={value} isOpen />
  </div>
);

function Branch({ name, value, isOpen = false }: { name?: string; value: unknown; isOpen?: boolean }) {
  const label = name === undefined ? '' : `${name}: `;
  if (typeof value !== 'object' || value === null)
    return (
      <div className="wrap-text pl-4">
        <span className="text-muted">{label}</span>
        <span className={typeof value === 'string' ? 'text-succeeded' : 'text-running'}>{JSON.stringify(value)}</span>
      </div>
    );
  const entries = Object.entries(value);
  const kind = Array.isArray(value) ? `[${countOf(entries.length, 'item')}]` : `{${countOf(entries.length, 'key')}}`;
  return (
    <details open={isOpen} className="pl-4">
      <summary className="-ml-4 wrap-text">
        <span className="text-muted">{label}</span>
        {kind}
      </summary>
      {entries.slice(0, MAX_CHILDREN).map(([key, child]) => (
        <Branch key={key} name={key} value={child} />
      ))}
      {entries.length > MAX_CHILDREN && (
        <div className="pl-4 text-muted">{countOf(entries.length - MAX_CHILDREN, 'more item')}</div>
      )}
    </details>
  );
}
