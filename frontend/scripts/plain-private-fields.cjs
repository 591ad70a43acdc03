// webpack loader: writes `this.#cache` as `this._queryClient_cache` in react-query's files.
// Phones of the ES2018 age have no private fields, and the compiler's stand-in costs 1.5 KB on every first visit.
// The file's name keeps a class apart from its parents; these files hold one class each and no '#' elsewhere.
const { basename } = require('node:path');

module.exports = function plainPrivateFields(source) {
  const prefix = `_${basename(this.resourcePath, '.js')}_`;
  return source.replace(/(?<=[.\s])#(?=[a-zA-Z_])/g, prefix);
};
