// webpack loader for the route table in server rendering: turns each import() into a require. React.lazy takes any object with `then`,
// and renders at once when `then` calls back at once. `renderToString` does not wait for promises. first-views.ts needs the name of the chunk.
module.exports = function pagesAtOnce(source) {
  return source.replace(
    /import\(\s*\/\*\s*webpackChunkName: ("[^"]+")\s*\*\/\s*('[^']+')\s*\)/g,
    '({ chunk: $1, then: loaded => loaded(require($2)) })',
  );
};
