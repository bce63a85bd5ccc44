import type { PortEnd } from '../../../graph/graph-view.js';
import type { Point } from '../../../graph/model/graph.js';

/** The dialog that is open over the editor. */
export type EditorDialog =
  /** Adds a library entry, connected with a port. */
  | { kind: 'insert'; at: Point; from?: PortEnd }
  /** Chooses the port of a node that a connection was dropped on. */
  | { kind: 'ports'; from: PortEnd; node: string }
  | { kind: 'find' }
  | { kind: 'save' }
  /** `isPart`: up to the selected nodes. */
  | { kind: 'run'; isPart?: boolean }
  | { kind: 'conflict' }
  | { kind: 'publish'; version: string };
