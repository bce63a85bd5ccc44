import { countOf } from '../../../text/format-count.js';
import { labelOf } from '../document/label-of.js';
import { useDocument, useEditor } from '../session/editor-context.js';
import { GroupFields } from './group-fields.js';
import { PanelFrame, PanelSection } from './panel-frame.js';

const MAX_LISTED = 200;

/** A collapsed group. */
export function GroupPanel({ id }: { id: string }) {
  const { session } = useEditor();
  const document = useDocument();
  const group = document.groups[id];
  if (!group) return null;
  return (
    <PanelFrame icon="layers" kind="Group" title={group.label}>
      <PanelSection>
        <GroupFields id={id} />
      </PanelSection>
      <PanelSection title={countOf(group.nodes.length, 'node')}>
        <ul className="flex flex-col gap-1 text-sm">
          {group.nodes.slice(0, MAX_LISTED).map((node) => (
            <li key={node}>
              <button
                type="button"
                dir="auto"
                className="link max-w-full truncate"
                onClick={() => session.select([node])}
              >
                {labelOf(document, node)}
              </button>
            </li>
          ))}
        </ul>
        {group.nodes.length > MAX_LISTED && (
          <p className="text-sm text-muted">and {countOf(group.nodes.length - MAX_LISTED, 'more node')}</p>
        )}
      </PanelSection>
    </PanelFrame>
  );
}
