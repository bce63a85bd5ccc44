import { useState } from 'react';
import { Button } from '../../../../ui/button.js';
import { indexConnections } from '../../ports/connection-index.js';
import { listInputs } from '../../ports/list-ports.js';
import { useDocument, useEditor } from '../../session/editor-context.js';
import { InputRow } from '../fields/input-row.js';
import { NewInputForm } from '../fields/new-input-form.js';
import { PanelSection } from '../panel-frame.js';
import type { SectionProps } from '../section-props.js';

/** The inputs of a node. Those that are switched off are behind a button. */
export function InputsSection({ id, node, problems }: SectionProps) {
  const { canEdit } = useEditor();
  const document = useDocument();
  const [isAllShown, setAllShown] = useState(false);
  const connected = indexConnections(document).into.get(id) ?? [];
  const inputs = listInputs(node);
  const isConnected = (name: string) => connected.some(({ targetPort }) => targetPort === name);
  const isDeclared = (name: string) => Object.hasOwn(node.inputs ?? {}, name);
  const [shown, hidden] = [[] as typeof inputs, [] as typeof inputs];
  for (const input of inputs) {
    const isOff = node.inputs?.[input.name]?.visible === false;
    (isOff && !isConnected(input.name) ? hidden : shown).push(input);
  }
  return (
    <PanelSection title="Inputs">
      {[...shown, ...(isAllShown ? hidden : [])].map(({ name }) => (
        <InputRow
          key={name}
          id={id}
          node={node}
          name={name}
          isDeclared={isDeclared(name)}
          connections={connected.filter(({ targetPort }) => targetPort === name)}
          problems={problems}
        />
      ))}
      {hidden.length > 0 && (
        <Button look="quiet" className="self-start" aria-expanded={isAllShown} onClick={() => setAllShown(!isAllShown)}>
          {isAllShown ? 'Show fewer inputs' : `Show ${hidden.length} more`}
        </Button>
      )}
      {canEdit && (node.type === 'SCRIPT' || node.type === 'TOOL') && <NewInputForm id={id} node={node} />}
    </PanelSection>
  );
}
