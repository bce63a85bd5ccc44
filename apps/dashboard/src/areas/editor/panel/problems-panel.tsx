import { useState } from 'react';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { labelOf } from '../document/label-of.js';
import { findFix } from '../problems/find-fix.js';
import type { Problem } from '../problems/problems.js';
import { useDocument, useEditor, useValidation } from '../session/editor-context.js';

/** All problems of the workflow. A click selects the node that a problem is about. */
export function ProblemsPanel({ onSelect }: { onSelect: (node: string) => void }) {
  const { session } = useEditor();
  const { problems, state } = useValidation();
  const [isOpen, setOpen] = useState(false);
  const errors = problems.all.filter(({ isError }) => isError).length;
  const warnings = problems.all.length - errors;
  const select = (problem: Problem) => {
    const id = nodeOf(problem) ?? '';
    const { nodes, primitiveNodes } = session.document.get();
    if (!Object.hasOwn(nodes, id) && !Object.hasOwn(primitiveNodes, id)) return;
    session.select([id]);
    onSelect(id);
  };
  return (
    <section aria-label="Problems" className="shrink-0 border-t border-line bg-page">
      <p role="status" className="sr-only">
        {problems.all.length === 0
          ? STATE_TEXTS[state]
          : `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}`}
      </p>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex h-8 w-full items-center gap-3 px-4 text-xs text-muted hover:text-ink"
      >
        <Icon name={isOpen ? 'chevronDown' : 'chevronUp'} size={14} />
        <span className="flex items-center gap-3">
          {problems.all.length === 0 && <span>{STATE_TEXTS[state]}</span>}
          {errors > 0 && (
            <span className="flex items-center gap-1 text-failed">
              <Icon name="circleAlert" size={14} />
              {countOf(errors, 'error')}
            </span>
          )}
          {warnings > 0 && (
            <span className="flex items-center gap-1 text-stopped">
              <Icon name="warning" size={14} />
              {countOf(warnings, 'warning')}
            </span>
          )}
          {state === 'failed' && problems.all.length > 0 && <span>{STATE_TEXTS.failed}</span>}
        </span>
      </button>
      {isOpen && (
        <ul className="@container max-h-48 overflow-y-auto border-t border-line py-1">
          {problems.all.map((problem, index) => (
            <ProblemRow key={index} problem={problem} onSelect={() => select(problem)} />
          ))}
          {problems.all.length === 0 && <li className="px-4 py-1 text-sm text-muted">The workflow can run.</li>}
        </ul>
      )}
    </section>
  );
}

const STATE_TEXTS = {
  checking: 'Checking the workflow…',
  checked: 'No problems',
  failed: 'The workflow could not be checked; the next edit tries again.',
};

/** One problem: a click on it selects its node, the button applies the suggested fix. */
function ProblemRow({ problem, onSelect }: { problem: Problem; onSelect: () => void }) {
  const { session, canEdit } = useEditor();
  const document = useDocument();
  const id = nodeOf(problem);
  const fix = canEdit && id !== undefined ? findFix(document, id, problem) : undefined;
  const label = id === undefined ? undefined : labelOf(document, id);
  return (
    <li className="flex flex-wrap items-start gap-x-2 pr-4 hover:bg-hover">
      <button
        type="button"
        onClick={onSelect}
        className="flex min-w-0 flex-1 basis-60 items-start gap-2 px-4 py-1 text-left text-sm"
      >
        <Icon
          name={problem.isError ? 'circleAlert' : 'warning'}
          className={`mt-0.5 ${problem.isError ? 'text-failed' : 'text-stopped'}`}
          label={problem.isError ? 'Error' : 'Warning'}
        />
        <span className="wrap-text min-w-0 flex-1">
          {label !== undefined && label !== id && (
            <span dir="auto" className="mr-1.5 font-medium">
              {label}
            </span>
          )}
          {problem.message}
          {problem.hint !== undefined && <span className="text-muted"> {problem.hint}</span>}
        </span>
        <code className="hidden shrink-0 font-mono @2xl:block text-xs text-muted">{problem.code}</code>
      </button>
      {fix && (
        <Button
          className="my-0.5 ml-10 h-6! max-w-60 px-2! text-xs! @2xl:ml-0"
          onClick={() => {
            onSelect();
            session.edit(fix.diff, fix.label);
          }}
        >
          <span dir="auto" className="truncate">
            {fix.label}
          </span>
        </Button>
      )}
    </li>
  );
}

const nodeOf = ({ node }: Problem): string | undefined => node?.split('/')[0];
