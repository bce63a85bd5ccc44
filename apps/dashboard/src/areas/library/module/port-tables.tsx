import type { Module } from '@millrace/client';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';

type Input = NonNullable<Module['inputs']>[number];
type Output = NonNullable<Module['outputs']>[number];

const PORT_TYPES: Record<Input['type'], string> = {
  STRING: 'text',
  BOOLEAN: 'yes or no',
  FILE: 'file',
  FOLDER: 'folder',
};

const TEXT_CELL = 'px-3 py-2 align-baseline';

/** Where a node writes its outputs. */
const OUTPUT_PLACES: Record<Output['type'], string> = { FILE: 'out/output.txt', FOLDER: 'Everything below out/' };

export const InputTable = ({ inputs }: { inputs: readonly Input[] }) => (
  <Table
    label="Inputs"
    head={
      <>
        <Head>Name</Head>
        <Head>Type</Head>
        <Head isWide>Description</Head>
        <Head>Default</Head>
        <Head>Flag</Head>
      </>
    }
  >
    {inputs.map((input) => (
      <tr key={input.name}>
        <th scope="row" className={`${TEXT_CELL} wrap-text min-w-44 text-left font-mono text-xs font-medium`}>
          {input.name}
          {input.required && ' '}
          {input.required && <span className="ml-1 font-sans font-normal whitespace-nowrap text-failed">required</span>}
        </th>
        <td className={`${TEXT_CELL} whitespace-nowrap text-muted`}>
          {input.multi ? `${PORT_TYPES[input.type]}, several` : PORT_TYPES[input.type]}
        </td>
        <td className={`${TEXT_CELL} wrap-text`} dir="auto">
          {input.description}
        </td>
        <td className={`${TEXT_CELL} wrap-text max-w-56 font-mono text-xs`}>
          {input.value === undefined ? '' : String(input.value)}
        </td>
        <td className={`${TEXT_CELL} font-mono text-xs whitespace-nowrap`}>
          {input.command || <span className="font-sans text-muted">none</span>}
        </td>
      </tr>
    ))}
  </Table>
);

export const OutputTable = ({ outputs }: { outputs: readonly Output[] }) => (
  <Table
    label="Outputs"
    head={
      <>
        <Head>Name</Head>
        <Head>Type</Head>
        <Head isWide>Description</Head>
      </>
    }
  >
    {outputs.map((output) => (
      <tr key={output.name}>
        <th scope="row" className={`${CELL} text-left font-mono text-xs font-medium`}>
          {output.name}
        </th>
        <td className={`${CELL} text-muted`}>{PORT_TYPES[output.type]}</td>
        <td className={`${TEXT_CELL} wrap-text`} dir="auto">
          {output.description ?? <span className="text-muted">{OUTPUT_PLACES[output.type]}</span>}
        </td>
      </tr>
    ))}
  </Table>
);

const Head = ({ isWide = false, children }: { isWide?: boolean; children: string }) => (
  <th scope="col" className={`${HEAD_CELL} ${isWide ? 'w-full min-w-56' : ''}`}>
    {children}
  </th>
);
