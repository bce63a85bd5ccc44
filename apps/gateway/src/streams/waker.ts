/** Lets one loop sleep until something happens; a wake-up while it is busy is not lost. */
export class Waker {
  private pending = false;
  private release: (() => void) | null = null;

  wake(): void {
    this.pending = true;
    this.release?.();
  }

  /** Returns at the next wake-up, at once if there was one since the last wait, or after `patienceMs`. */
  async wait(patienceMs: number): Promise<void> {
    if (!this.pending) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patienceMs);
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
