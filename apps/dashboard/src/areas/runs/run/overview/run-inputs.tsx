import type { Run } from '@millrace/client';
import { formatBytes } from '../../../../text/format-bytes.js';
import { countOf } from '../../../../text/format-count.js';
import { PanelSection } from '../panel-section.js';

type Input = NonNullable<Run['inputs']>['resolved'][number];

/** The inputs of a run, and the parameters that differ from its version. */
export function RunInputs({ run: { inputs, parameters } }: { run: Run }) {
  const changed = Object.entries(parameters ?? {}).flatMap(([node, values]) =>
    Object.entries(values).map(([name, value]) => ({ key: `${node}.${name}`, value })),
  );
  return (
    <>
      {inputs && inputs.resolved.length > 0 && (
        <PanelSection title="Inputs">
          <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
            {inputs.resolved.map((input) => (
              <InputRow key={input.id} input={input} />
            ))}
          </dl>
        </PanelSection>
      )}
      {changed.length > 0 && (
        <PanelSection title="Changed parameters">
          <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
            {changed.map(({ key, value }) => (
              <div key={key} className="contents">
                <dt className="wrap-text text-muted">{key}</dt>
                <dd className="wrap-text">{value === null ? 'removed' : String(value)}</dd>
              </div>
            ))}
          </dl>
        </PanelSection>
      )}
    </>
  );
}

const InputRow = ({ input: { id, label, value, given, size, files } }: { input: Input }) => (
  <div className="contents">
    <dt className="wrap-text text-muted" dir="auto">
      {label ?? id}
    </dt>
    <dd className="min-w-0">
      <span className="wrap-text font-mono text-xs" dir="auto">
        {value === undefined ? 'not recorded' : String(value)}
      </span>
      <span className="text-xs text-muted">
        {size !== undefined && ` · ${formatBytes(size)}`}
        {files !== undefined && ` · ${countOf(files, 'file')}`}
        {given === false && ' · default'}
      </span>
    </dd>
  </div>
);
