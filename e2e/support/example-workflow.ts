import type { Example } from '@millrace/library/module-file';
import { script, type Draft } from './run-workflow.js';
import type { Account } from './sign-up.js';

/** A library module's node. It has only the fields that are used here. */
export interface LibraryNode {
  name: string;
  type: 'TOOL' | 'SCRIPT';
  inputs: Record<string, { type: string; value?: unknown }>;
  [key: string]: unknown;
}

/** One node, and the example whose inputs and files it receives. */
export interface Case {
  /** Name that the node gets in the workflow. */
  name: string;
  node: LibraryNode;
  example: Pick<Example, 'inputs' | 'files'>;
}

const BASE64 = 'base64:';

const contentOf = (text: string): Buffer<ArrayBuffer> =>
  text.startsWith(BASE64) ? Buffer.from(text.slice(BASE64.length), 'base64') : Buffer.from(text);

/**
 * Makes one workflow with a node for each case. Values are set on the node, files are uploaded and become inputs of the
 * workflow, and scripts create the folders.
 */
export async function caseWorkflow(account: Account, cases: readonly Case[]): Promise<Required<Draft>> {
  const draft: Required<Draft> = { nodes: {}, edges: [], inputs: {} };
  for (const one of cases) draft.nodes[one.name] = fillInputs(one);
  // Uploads a few files at a time, because uploads count as requests.
  const uploads = cases.flatMap((one) => addFiles(one, draft));
  while (uploads.length > 0) {
    await Promise.all(
      uploads.splice(0, 8).map(({ path, content }) => account.client.files.upload(path, new Blob([content]))),
    );
  }
  return draft;
}

function fillInputs({ name, node, example }: Case): LibraryNode {
  const inputs = { ...node.inputs };
  for (const [input, value] of Object.entries(example.inputs ?? {})) {
    const declared = inputs[input];
    if (!declared) throw new Error(`${name} has no input ${input}`);
    inputs[input] = { ...declared, value };
  }
  return { ...node, name, inputs };
}

function addFiles(
  { name, node, example }: Case,
  draft: Required<Draft>,
): { path: string; content: Buffer<ArrayBuffer> }[] {
  return Object.entries(example.files ?? {}).flatMap(([input, files]) => {
    const source = `${name}-${input}`;
    if (node.inputs[input]?.type === 'FOLDER') {
      draft.nodes[source] = script(writeFiles(files));
      draft.edges.push([`${source}/folder`, `${name}/${input}`]);
      return [];
    }
    return Object.entries(files).map(([path, content], index) => {
      const stored = `examples/${source}/${index}/${path}`;
      const id = `${source}-${index}`;
      draft.inputs[id] = { type: 'FILE', value: `millrace://file/${stored}` };
      draft.edges.push([`${id}/output`, `${name}/${input}`]);
      return { path: stored, content: contentOf(content) };
    });
  });
}

function writeFiles(files: Record<string, string>): string {
  const lines = Object.entries(files).map(([path, content]) => {
    const target = `"out/$(printf %s ${contentBase64(path)} | base64 -d)"`;
    return `mkdir -p "$(dirname ${target})" && printf %s ${contentBase64(contentOf(content))} | base64 -d > ${target}`;
  });
  return ['set -e', ...lines].join('\n');
}

const contentBase64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64') || '""';
