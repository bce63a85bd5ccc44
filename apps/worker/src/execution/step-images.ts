import { type ContainerExecutor } from '@millrace/containers/container-executor';
import { type Step } from '@millrace/graph/plan/plan';
import { imageOf, isFixedImage } from '@millrace/graph/run/image-reference';

/** The images of steps that run in containers. */
export class StepImages {
  /** @param defaultImage of steps whose nodes name none */
  constructor(
    private readonly executor: ContainerExecutor['kind'],
    private readonly defaultImage: string,
  ) {}

  of({ program }: Pick<Step, 'program'>): string {
    return imageOf(program) ?? this.defaultImage;
  }

  /** What the cache key says about where a step runs; null if its image may change by itself, so that nothing may be cached. */
  runnerOf(step: Pick<Step, 'program'>): readonly string[] | null {
    const image = this.of(step);
    return isFixedImage(image) ? [this.executor, image] : null;
  }
}
