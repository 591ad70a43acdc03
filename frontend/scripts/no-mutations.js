// Stands in for the part of react-query that keeps mutations: this site writes by plain calls, and every first visit saves 1 KB.
export class MutationCache {
  findAll() {
    return [];
  }

  resumePausedMutations() {
    return Promise.resolve();
  }

  clear() {}
}
