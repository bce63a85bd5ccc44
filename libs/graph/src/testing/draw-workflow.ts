import { type NodeInput, type PrimitiveNode, type WorkflowData, type WorkflowNode } from '../data/workflow-data.js';

type Inputs = Record<string, NodeInput>;
type More = Partial<WorkflowNode>;

/** Builds workflow data for tests in the form of the editor, one line per node. */
export class Drawing {
  readonly nodes: Record<string, WorkflowNode> = {};
  readonly primitiveNodes: Record<string, PrimitiveNode> = {};
  readonly connections: { source: { id: string }; destination: { id: string } }[] = [];

  tool(name: string, inputs: Inputs = {}, more: More = {}): this {
    return this.node(name, { type: 'TOOL', container: { image: 'tool', command: ['tool'] }, inputs, ...more });
  }

  script(name: string, inputs: Inputs = {}, more: More = {}): this {
    return this.node(name, { type: 'SCRIPT', script: { source: 'cat in/*/*' }, script_type: 'bash', inputs, ...more });
  }

  splitter(name: string, more: More = {}): this {
    return this.node(name, {
      type: 'SPLITTER',
      inputs: { multiple: { type: 'FILE', order: 0, multi: true } },
      ...more,
    });
  }

  module(name: string, workflow: string, inputs: Inputs = {}, more: More = {}): this {
    return this.node(name, { type: 'WORKFLOW', workflow, inputs, ...more });
  }

  approval(name: string, more: More = {}): this {
    return this.node(name, { type: 'APPROVAL', ...more });
  }

  /** A connection that only orders. */
  order(from: string, to: string): this {
    return this.edge(`output/${from}`, `input/${to}`);
  }

  primitive(id: string, type: PrimitiveNode['type'], value: string | boolean | null, label?: string): this {
    this.primitiveNodes[id] = { name: id, type, label: label ?? String(value ?? ''), value };
    return this;
  }

  /** `wire('sort-1.file', 'join-1.left')`; for a primitive, `from` is only its id. */
  wire(from: string, to: string): this {
    const [source = '', port = 'output'] = splitAt(from, '.');
    const [node = '', param = ''] = splitAt(to, '.');
    this.connections.push({
      source: { id: `output/${source}/${port}` },
      destination: { id: `input/${node}/${param}/${source}` },
    });
    return this;
  }

  edge(source: string, destination: string): this {
    this.connections.push({ source: { id: source }, destination: { id: destination } });
    return this;
  }

  data(): WorkflowData {
    return { nodes: this.nodes, connections: this.connections, primitiveNodes: this.primitiveNodes };
  }

  private node(name: string, node: WorkflowNode): this {
    this.nodes[name] = { name, meta: { label: name.replace(/-\d+$/, '') }, ...node };
    return this;
  }
}

const splitAt = (text: string, mark: string): string[] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

export const draw = (): Drawing => new Drawing();

export const label = (text: string): Partial<WorkflowNode> => ({ meta: { label: text } });

/** A chain of `length` scripts, `step-1` to `step-<length>`. */
export function drawChain(length: number): Drawing {
  const drawing = draw();
  for (let at = 1; at <= length; at += 1) {
    drawing.script(`step-${at}`);
    if (at > 1) drawing.wire(`step-${at - 1}.file`, `step-${at}.file`);
  }
  return drawing;
}
