/** Lets one loop sleep until it is woken. A wake-up while the loop is busy is not lost. */
export class Waker {
  private pending = false;
  private release: (() => void) | null = null;

  wake(): void {
    this.pending = true;
    this.release?.();
  }

  /** Returns at the next wake-up, at once if there was one since the last wait, or after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.pending) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.release = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.release = null;
    }
    this.pending = false;
  }
}
