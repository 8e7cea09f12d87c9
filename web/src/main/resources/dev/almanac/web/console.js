// What the console does beyond links and forms: it holds the refresh, keeps the focus and what was unfolded over one,
// says that a refresh has failed, and selects all rows of a table. Every page works without it.
(function () {
  'use strict';
  var held = false;
  var open = [];
  var focus = null;

  function changed(field) {
    if (field.tagName === 'SELECT') {
      var initial = Array.prototype.findIndex.call(field.options, function (option) { return option.defaultSelected; });
      return field.selectedIndex !== Math.max(0, initial);
    }
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }

  function busy() {
    var fields = Array.prototype.slice.call(document.querySelectorAll('#live input, #live select, #live textarea'));
    return held || document.hidden || fields.indexOf(document.activeElement) >= 0 || fields.some(changed);
  }

  function show() {
    var button = document.getElementById('hold');
    if (button) {
      button.hidden = false;
      button.setAttribute('aria-pressed', String(held));
      button.textContent = held ? 'Held: refresh again' : 'Hold';
    }
  }

  function mark(element) {
    return element.id ? '#' + element.id : element.getAttribute && element.getAttribute('href');
  }

  function stale(event) {
    var asof = document.querySelector('#live .asof');
    if (event.target.id === 'live' && asof && !asof.hasAttribute('role')) {
      asof.setAttribute('role', 'alert');
      asof.textContent += ': this page could not be refreshed since';
    }
  }

  document.addEventListener('DOMContentLoaded', function () {
    show();
    document.querySelectorAll('input[data-all]').forEach(function (box) { box.hidden = false; });
  });
  document.addEventListener('htmx:sendError', stale);
  document.addEventListener('htmx:responseError', stale);
  document.addEventListener('click', function (event) {
    if (event.target.id === 'hold') {
      held = !held;
      show();
    }
  });
  document.addEventListener('change', function (event) {
    if (event.target.matches('input[data-all]')) {
      event.target.closest('table').querySelectorAll('input[name=key]').forEach(function (box) {
        box.checked = event.target.checked;
      });
    }
  });
  document.addEventListener('htmx:beforeRequest', function (event) {
    if (event.target.id === 'live' && busy()) {
      event.preventDefault();
    }
  });
  document.addEventListener('htmx:beforeSwap', function (event) {
    if (busy()) {
      event.detail.shouldSwap = false;
      return;
    }
    var active = document.activeElement;
    focus = active && document.getElementById('live').contains(active) ? mark(active) : null;
    open = Array.prototype.map.call(document.querySelectorAll('#live details'), function (d) { return d.open; });
  });
  document.addEventListener('htmx:afterSwap', function () {
    document.querySelectorAll('#live details').forEach(function (d, i) {
      if (i < open.length) {
        d.open = open[i];
      }
    });
    if (focus) {
      document.querySelectorAll('#live a, #live button, #live summary, #live [tabindex]').forEach(function (element) {
        if (mark(element) === focus && document.activeElement !== element) {
          element.focus({ preventScroll: true });
        }
      });
    }
  });
})();
