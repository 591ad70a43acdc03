// Finds what a script uses and a browser of the floor lacks: syntax, globals, static functions and methods.
import { parse } from 'acorn';
import { ancestor, full } from 'acorn-walk';
import { lackOf } from './floor.js';

const isFunction = node => /Function/.test(node?.type);
const isMember = node => node.type === 'MemberExpression' && !node.computed;

/** The variables of a script, and its own methods. */
function definedIn(tree) {
  const [variables, methods] = [new Set(), new Set()];
  full(tree, (node, _state, type) => {
    if (type === 'VariablePattern') variables.add(node.name);
    if (/^(MethodDefinition|Property)$/.test(type) && isFunction(node.value)) methods.add(node.key.name);
    if (type === 'AssignmentExpression' && isMember(node.left) && isFunction(node.right))
      methods.add(node.left.property.name);
  });
  return { variables, methods };
}

/**
 * `sources` are `{name, text}`. Methods are known by name alone, as there are no types: one that any of the scripts defines itself counts as its own.
 * Only calls of methods are found, because reading a missing one is how it is detected.
 */
export function newerUses(env, sources) {
  const { syntax, hasMethod, hasStatic, hasGlobal } = lackOf(env);
  const scripts = sources.map(({ name, text }) => {
    const tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
    return { name, text, tree, ...definedIn(tree) };
  });
  const own = new Set(scripts.flatMap(({ methods }) => [...methods]));
  return scripts.flatMap(({ name: file, text, tree, variables }) => {
    const uses = [];
    const add = (name, { start, end }) =>
      uses.push({ name, file, code: text.slice(Math.max(0, start - 60), Math.min(end, start + 60) + 20) });
    const isGlobal = node => node.type === 'Identifier' && !variables.has(node.name);
    full(tree, node => {
      for (const { name, isIt } of syntax) if (isIt(node)) add(name, node);
    });
    ancestor(tree, {
      CallExpression({ callee }) {
        if (!isMember(callee) || isGlobal(callee.object)) return;
        const { name } = callee.property;
        if (hasMethod(name) === false && !own.has(name)) add(`.${name}()`, callee);
      },
      MemberExpression(node, _state, ancestors) {
        if (!isMember(node) || !isGlobal(node.object)) return;
        const name = `${node.object.name}.${node.property.name}`;
        const called =
          ancestors.at(-2)?.callee === node &&
          hasMethod(node.property.name) === false &&
          !own.has(node.property.name);
        if (hasStatic(name) === false) add(name, node);
        else if (called) add(`.${node.property.name}()`, node);
      },
      Identifier(node, _state, ancestors) {
        const { operator } = ancestors.at(-2) ?? {};
        if (isGlobal(node) && hasGlobal(node.name) === false && operator !== 'typeof') add(node.name, node);
      },
    });
    return uses;
  });
}
