import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { client } from '../../../api/client.js';
import { useStore } from '../../../store/create-store.js';
import { CodeEditor, type CodeProblem } from '../../../ui/code/code-editor.js';
import { diffDocuments } from '../document/diff.js';
import { readDocument } from '../document/document.js';
import { useEditor } from '../session/editor-context.js';
import { fromFilePlace, readYaml, toWorkflowFile, writeYaml } from './yaml-text.js';

const PARSE_PAUSE_MS = 250;
const CHECK_PAUSE_MS = 700;

/** The same workflow as YAML. Valid edits change the document at once; the API's problems are shown at their lines. */
export function YamlView() {
  const { workflow, session, canEdit } = useEditor();
  const document = useStore(session.document);
  const [text, setText] = useState(() => writeYaml(document));
  const [mistake, setMistake] = useState<CodeProblem>();
  const problems = useFileProblems(workflow.id, text, mistake === undefined);
  const written = useRef(document);
  /** The text that the view itself has made. It may differ from the document in what means the same. */
  const ownText = useRef(text);
  // Undo, or another part of the editor, has changed the document.
  useEffect(() => {
    if (written.current === document) return;
    written.current = document;
    ownText.current = writeYaml(document);
    setText(ownText.current);
    setMistake(undefined);
  }, [document]);
  const apply = useEffectEvent(() => {
    const parsed = readYaml(text);
    if ('problem' in parsed) return setMistake({ ...parsed.problem, isError: true });
    setMistake(undefined);
    if (text === ownText.current) return;
    const current = session.document.get();
    if (written.current !== current) return;
    const diff = diffDocuments(current, readDocument(parsed.data));
    session.edit(diff, 'Edit the YAML', 'yaml');
    written.current = session.document.get();
  });
  useEffect(() => {
    const timer = setTimeout(apply, PARSE_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // The last words before the view closes count as well.
  useEffect(() => apply, []);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <CodeEditor
        label="Workflow as YAML"
        language="yaml"
        value={text}
        {...(canEdit && { onChange: setText })}
        onBlur={() => session.closeStep()}
        problems={mistake ? [mistake] : problems}
        className="min-h-0 flex-1 rounded-none! border-0!"
      />
      <div role="status">
        {mistake && (
          <p className="wrap-text border-t border-line bg-failed-soft px-4 py-1.5 text-sm">
            Line {mistake.line}: {mistake.message} The canvas keeps the last valid text.
          </p>
        )}
      </div>
    </div>
  );
}

/** The API's problems with the lines that they are about, after each pause. */
function useFileProblems(workflow: string, text: string, isReadable: boolean): readonly CodeProblem[] {
  const [found, setFound] = useState<{ text: string; problems: readonly CodeProblem[] }>();
  useEffect(() => {
    if (!isReadable) return;
    const request = new AbortController();
    const timer = setTimeout(() => {
      client.versions.validateFile({ yaml: toWorkflowFile(text), workflow }, { signal: request.signal }).then(
        ({ errors, warnings }) =>
          setFound({
            text,
            problems: [
              ...errors.map((one) => ({ ...fromFilePlace(one), message: one.message, isError: true })),
              ...warnings.map((one) => ({ ...fromFilePlace(one), message: one.message, isError: false })),
            ],
          }),
        // The problems panel reports a failed check.
        () => undefined,
      );
    }, CHECK_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [workflow, text, isReadable]);
  return found?.text === text ? found.problems : NONE;
}

const NONE: readonly CodeProblem[] = [];
