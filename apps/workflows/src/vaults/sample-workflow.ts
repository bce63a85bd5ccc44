/** The workflow in the Playground of a new vault. It needs only bash and sha256sum. */
export const SAMPLE_WORKFLOW = {
  name: 'Checksums of a folder',
  description:
    'Lists the programs in a folder, computes the checksum of each one in a separate job, and gathers the checksums in one ' +
    'sorted list. Run it, then change the folder or the script.',
  data: {
    primitiveNodes: {
      'string-input-1': {
        id: 'string-input-1',
        name: 'string-input-1',
        type: 'STRING',
        label: 'Folder',
        value: '/usr/bin',
        coordinates: { x: 0, y: 0 },
      },
    },
    nodes: {
      'list-1': script('list-1', 'list', 260, {
        source: [
          '# Prints the first twelve files of the folder, one per line.',
          'count=0',
          'for file in "$1"/*; do',
          '  if [ -f "$file" ] && [ -r "$file" ]; then echo "$file"; count=$((count + 1)); fi',
          '  if [ "$count" -eq 12 ]; then break; fi',
          'done',
        ],
        inputs: { folder_path: { type: 'STRING', order: 0, command: '', description: 'Folder to look into' } },
      }),
      'splitter-1': {
        name: 'splitter-1',
        type: 'SPLITTER',
        meta: { label: 'splitter', coordinates: { x: 520, y: 0 } },
        inputs: { multiple: { type: 'FILE', order: 0, multi: true } },
        outputs: { output: { type: 'FILE', order: 0 } },
        bee_type: 'small',
      },
      'checksum-1': script('checksum-1', 'checksum', 780, {
        source: ['# Runs once for each line.', 'sha256sum "$1"'],
        inputs: { path: { type: 'STRING', order: 0, command: '', description: 'File to read' } },
      }),
      'report-1': script('report-1', 'Checksums', 1040, {
        source: ['# Each job wrote its line to a numbered folder.', 'cat in/checksum-1/*/output.txt | sort -k 2'],
        inputs: { folder: { type: 'FOLDER', order: 0, multi: true } },
      }),
    },
    connections: [
      edge('output/string-input-1/output', 'input/list-1/folder_path/string-input-1'),
      edge('output/list-1/file', 'input/splitter-1/multiple/list-1'),
      edge('output/splitter-1/output', 'input/checksum-1/path/splitter-1'),
      edge('output/checksum-1/folder', 'input/report-1/folder/checksum-1'),
    ],
    outputNodes: {},
    annotations: {},
    config: {},
  },
};

function script(name: string, label: string, x: number, options: { source: string[]; inputs: Record<string, object> }) {
  return {
    name,
    type: 'SCRIPT',
    meta: { label, coordinates: { x, y: 0 } },
    inputs: options.inputs,
    outputs: { file: { type: 'FILE', order: 0 }, folder: { type: 'FOLDER', order: 1 } },
    bee_type: 'small',
    script_type: 'bash',
    script: { source: `${options.source.join('\n')}\n` },
  };
}

function edge(source: string, destination: string) {
  return { source: { id: source }, destination: { id: destination } };
}
