import type { Extension } from '@codemirror/state';

export type CodeLanguage = 'bash' | 'python' | 'node' | 'go' | 'yaml' | 'json';

/** Loads the highlighting of one language; the others stay on the server. */
export async function loadLanguage(language: CodeLanguage): Promise<Extension> {
  switch (language) {
    case 'python':
      return (await import('@codemirror/lang-python')).python();
    case 'node':
      return (await import('@codemirror/lang-javascript')).javascript();
    case 'go':
      return (await import('@codemirror/lang-go')).go();
    case 'yaml':
      return (await import('@codemirror/lang-yaml')).yaml();
    case 'json':
      return (await import('@codemirror/lang-json')).json();
    case 'bash': {
      const [{ StreamLanguage }, { shell }] = await Promise.all([
        import('@codemirror/language'),
        import('@codemirror/legacy-modes/mode/shell'),
      ]);
      return StreamLanguage.define(shell);
    }
  }
}
