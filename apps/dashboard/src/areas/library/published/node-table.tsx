import { useMemo, useState } from 'react';
import { Button } from '../../../ui/button.js';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';
import { listParts, type PartView } from './list-parts.js';

const ROWS_PER_STEP = 100;

/** The inputs and nodes of a published version. */
export function NodeTable({ data }: { data: Record<string, unknown> }) {
  const { inputs, nodes } = useMemo(() => listParts(data), [data]);
  return (
    <>
      {inputs.length > 0 && <PartTable title="Inputs" parts={inputs} detail="Default" />}
      <PartTable title="Nodes" parts={nodes} detail="What it runs" />
    </>
  );
}

function PartTable({ title, parts, detail }: { title: string; parts: readonly PartView[]; detail: string }) {
  const [shown, setShown] = useState(ROWS_PER_STEP);
  return (
    <section>
      <h2 className="mb-2 text-base!">{title}</h2>
      {parts.length === 0 && <p className="text-sm text-muted">None.</p>}
      {parts.length > 0 && (
        <Table
          label={title}
          head={['Name', 'Kind', detail].map((text) => (
            <th key={text} scope="col" className={HEAD_CELL}>
              {text}
            </th>
          ))}
        >
          {parts.slice(0, shown).map((part) => (
            <tr key={part.name}>
              <th
                scope="row"
                dir="auto"
                className={`${CELL} max-w-96 truncate text-left font-medium`}
                title={part.name}
              >
                {part.label}
              </th>
              <td className={`${CELL} text-muted`}>{nameKind(part.kind)}</td>
              <td className={`${CELL} w-full max-w-0 truncate font-mono text-xs text-muted`} title={part.detail}>
                {part.detail}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {shown < parts.length && (
        <Button className="mt-3" onClick={() => setShown(shown + ROWS_PER_STEP)}>
          Show more
        </Button>
      )}
    </section>
  );
}

/** `SCRIPT` is shown as `Script`. */
const nameKind = (kind: string): string => kind.slice(0, 1) + kind.slice(1).toLowerCase();
