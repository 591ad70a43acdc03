/// <reference types="node" />
/** Counts the proved sentences of the specification, and fails a complete run that left one out. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { FullResult, Reporter, Suite, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { sections } from './sentences';

const specs = readdirSync(import.meta.dirname).filter(name => name.endsWith('.spec.ts'));

export default class SentencesReporter implements Reporter {
  private ran = new Set<string>();
  private proved = new Set<string>();

  onBegin(_config: unknown, suite: Suite) {
    for (const { location } of suite.allTests()) this.ran.add(basename(location.file));
  }

  onTestEnd(_test: TestCase, { status, steps }: TestResult) {
    if (status === 'passed') this.collect(steps);
  }

  private collect(steps: TestStep[]) {
    for (const { category, title, error, steps: inner } of steps) {
      if (category === 'test.step' && !error) this.proved.add(title);
      this.collect(inner);
    }
  }

  async onEnd({ status }: FullResult): Promise<{ status: 'failed' } | undefined> {
    // A partial run proves a part of the sentences, and a failed run reports its own errors.
    if (status !== 'passed' || specs.some(name => !this.ran.has(name))) return;
    let missing = 0;
    console.info('\nsentences of the specification, proved in this run:');
    for (const [section, sentences] of sections) {
      const open = sentences.filter(each => !this.proved.has(each));
      missing += open.length;
      console.info(`  ${section}: ${sentences.length - open.length} of ${sentences.length}`);
      for (const each of open) console.info(`    no test: ${each}`);
    }
    if (missing > 0) return { status: 'failed' };
  }
}
