import { lazy, Suspense } from 'react';
import type { CodeLanguage } from '../../../../ui/code/code-languages.js';
import { Select } from '../../../../ui/field.js';
import { useEditor } from '../../session/editor-context.js';
import { ProgramFields } from '../fields/program-fields.js';
import { useNodeEdit } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

const CodeEditor = lazy(() =>
  import('../../../../ui/code/code-editor.js').then(({ CodeEditor }) => ({ default: CodeEditor })),
);

const LANGUAGES: { value: CodeLanguage & ('bash' | 'python' | 'node' | 'go'); label: string }[] = [
  { value: 'bash', label: 'Bash' },
  { value: 'python', label: 'Python' },
  { value: 'node', label: 'Node.js' },
  { value: 'go', label: 'Go' },
];

export function ScriptSection(section: SectionProps) {
  const { id, node } = section;
  const { canEdit } = useEditor();
  const edit = useNodeEdit(id);
  const language = node.script_type ?? 'bash';
  const error = errorOf(section, 'script.source');
  return (
    <PanelSection
      title="Script"
      aside={
        <Select
          aria-label="Language"
          value={language}
          options={LANGUAGES}
          onChange={(value) => edit.set('script_type', value)}
          className="w-28!"
        />
      }
    >
      <Suspense
        fallback={
          <pre className="h-56 overflow-auto rounded-md border border-line p-2 font-mono text-xs">
            {node.script?.source}
          </pre>
        }
      >
        <CodeEditor
          label={`Script of ${id}`}
          value={node.script?.source ?? ''}
          language={language}
          {...(canEdit && {
            onChange: (source: string) =>
              edit.update('script', (old) => ({ ...old, script: { ...old.script, source } })),
          })}
          onBlur={edit.close}
          className="h-56 resize-y"
        />
      </Suspense>
      {error !== undefined && <p className="wrap-text text-xs text-failed">{error}</p>}
      <p className="text-xs text-muted">
        Files are in <code className="font-mono">in/&lt;node&gt;/</code>. The result is{' '}
        <code className="font-mono">out/output.txt</code>, or what the script prints.
      </p>
      <ProgramFields {...section} part="script" />
    </PanelSection>
  );
}
