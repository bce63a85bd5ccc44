const MAX_HALF = 15_000;

/** Keeps the beginning and the end of what a command prints, and counts what is between them. */
export class OutputBuffer {
  length = 0;
  private head = '';
  private tail = '';

  append(text: string): void {
    this.length += text.length;
    const room = MAX_HALF - this.head.length;
    this.head += text.slice(0, room);
    this.tail = (this.tail + text.slice(room)).slice(-MAX_HALF);
  }

  read(): { text: string; omitted_characters: number } {
    const omitted = this.length - this.head.length - this.tail.length;
    const gap = omitted > 0 ? `\n… ${omitted} characters omitted …\n` : '';
    return { text: this.head + gap + this.tail, omitted_characters: omitted };
  }
}
