import type { IconName } from '../../../ui/icon.js';
import type { InputRecord, NodeRecord } from '../document/document.js';

export type NodeKind = NodeRecord['type'] | InputRecord['type'];

/** How each kind of node is named and drawn. */
export const NODE_KINDS: Record<NodeKind, { label: string; icon: IconName }> = {
  TOOL: { label: 'Tool', icon: 'terminal' },
  SCRIPT: { label: 'Script', icon: 'code' },
  SPLITTER: { label: 'Splitter', icon: 'split' },
  WORKFLOW: { label: 'Module', icon: 'package' },
  APPROVAL: { label: 'Approval', icon: 'hand' },
  STRING: { label: 'Text input', icon: 'textCursorInput' },
  BOOLEAN: { label: 'True or false input', icon: 'toggleLeft' },
  FILE: { label: 'File input', icon: 'file' },
  FOLDER: { label: 'Folder input', icon: 'folder' },
};
