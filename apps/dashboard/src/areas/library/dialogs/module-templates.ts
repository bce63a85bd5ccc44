/** Files to begin with. */
export const TEMPLATES = {
  script: `name: count-words
description: Counts the words of a text
category: Text
script_type: python
script: |
  import pathlib
  words = sum(len(path.read_text().split()) for path in pathlib.Path('in/file').iterdir())
  pathlib.Path('out/output.txt').write_text(f'{words}\\n')
inputs:
  file: { type: file, required: true, description: The text }
help: |
  Words are separated by white space.
`,
  tool: `name: sort-lines
description: Sorts lines
category: Text
packages: { apt: [coreutils] }
command: [sort]
output_command: '>' # standard output becomes out/output.txt
inputs:
  unique: { type: boolean, flag: --unique, default: false, description: Keeps one of those that are equal }
  file: { type: file, required: true, position: 1, description: Lines to sort }
help: |
  By the bytes of the text.
`,
} as const;

export type Template = keyof typeof TEMPLATES;
