import { Button } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { findFix } from '../problems/find-fix.js';
import type { Problem } from '../problems/problems.js';
import { useEditor } from '../session/editor-context.js';
import { PanelSection } from './panel-frame.js';

/** What is wrong with a node, with a button for each problem that has a simple fix. */
export function NodeProblems({ id, problems }: { id: string; problems: readonly Problem[] }) {
  const { session, canEdit } = useEditor();
  if (problems.length === 0) return null;
  return (
    <PanelSection>
      <ul aria-label="Problems of the node" className="flex flex-col gap-2">
        {problems.map((problem, index) => {
          const fix = canEdit ? findFix(session.document.get(), id, problem) : undefined;
          return (
            <li
              key={index}
              className={`flex gap-2 rounded-md px-3 py-2 text-sm ${problem.isError ? 'bg-failed-soft' : 'bg-stopped-soft'}`}
            >
              <Icon
                name={problem.isError ? 'circleAlert' : 'warning'}
                label={problem.isError ? 'Error' : 'Warning'}
                className={`mt-0.5 ${problem.isError ? 'text-failed' : 'text-stopped'}`}
              />
              <div className="min-w-0 flex-1">
                <p className="wrap-text">{problem.message}</p>
                {problem.hint !== undefined && <p className="wrap-text text-muted">{problem.hint}</p>}
                {fix && (
                  <Button className="mt-1.5" onClick={() => session.edit(fix.diff, fix.label)}>
                    {fix.label}
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </PanelSection>
  );
}
