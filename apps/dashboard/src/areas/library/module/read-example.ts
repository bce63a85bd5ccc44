/** An example as the page shows it. */
export interface ExampleView {
  name: string;
  inputs: [name: string, value: string][];
  /** Contents of files, as `input/path`. */
  files: [path: string, content: string][];
  results: [label: string, content: string][];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

const write = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Reads an example of a module file. Fields of another type are left out, because the API does not check them. */
export function readExample(example: { name: string; [field: string]: unknown }): ExampleView {
  const { output, outputs, matches } = example;
  return {
    name: example.name,
    inputs: entriesOf(example['inputs']).map(([name, value]) => [name, write(value)]),
    files: entriesOf(example['files']).flatMap(([input, files]) =>
      entriesOf(files).map(([path, content]): [string, string] => [`${input}/${path}`, write(content)]),
    ),
    results: [
      ...(typeof output === 'string' ? [['Output', output] as [string, string]] : []),
      ...entriesOf(outputs).map(([path, content]): [string, string] => [`Output ${path}`, write(content)]),
      ...(typeof matches === 'string' ? [['Output matches', matches] as [string, string]] : []),
    ],
  };
}
