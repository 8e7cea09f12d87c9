// What the console does beyond links and forms: it stops and resumes the refresh, keeps focus, unfolded details and what is in sight of a
// table over a refresh, puts a refreshed page together from what has changed and what has not, says whether the page is live, leads to the
// search, selects all rows of a table, and copies values. Every page works without it.
(function () {
  'use strict';
  var held = false;
  var pressed = false;
  var open = {};
  var focus = null;
  var places = [];
  // of the last refresh, by their digests; the server leaves out those that are named to it
  var parts = {};

  function whole(text) {
    var pieces = text.split(/<!--part ([0-9a-f]+)-->/);
    var now = {};
    var page = pieces[0];
    for (var i = 1; i < pieces.length; i += 2) {
      now[pieces[i]] = pieces[i + 1] || parts[pieces[i]];
      page += now[pieces[i]];
    }
    parts = now;
    return page;
  }

  function list(css) {
    return Array.prototype.slice.call(document.querySelectorAll(css));
  }

  function isBox(field) {
    return field.type === 'checkbox' || field.type === 'radio';
  }

  function changed(field) {
    if (field.tagName === 'SELECT') {
      var initial = Array.prototype.findIndex.call(field.options, function (option) { return option.defaultSelected; });
      return field.selectedIndex !== Math.max(0, initial);
    }
    // the value of a box without one is not its default value
    return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  }

  function textSelected() {
    var selection = document.getSelection();
    return !selection.isCollapsed && document.getElementById('live').contains(selection.anchorNode);
  }

  // A swap replaces all elements: a press of a button that began before it would be lost, and so would marked text.
  function busy() {
    return held || pressed || document.hidden || textSelected()
      || list('#live input, #live select, #live textarea, #live button:not(.copy)').indexOf(document.activeElement) >= 0
      || list('#live input, #live select, #live textarea').some(changed);
  }

  function typing() {
    return list('#live input, #live select, #live textarea').some(function (field) {
      return !isBox(field) && (changed(field) || field === document.activeElement);
    });
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
    var fold = element.tagName === 'SUMMARY' && (element.parentNode.getAttribute('data-fold') || element.textContent);
    return [element.tagName, element.id, element.getAttribute('href'), element.getAttribute('aria-label'), element.value, fold].join(' ');
  }

  function alike(name) {
    return list('#live, #live a, #live summary, #live [tabindex], #live button.copy').filter(function (e) { return mark(e) === name; });
  }

  function folds(each) {
    var others = 0;
    list('#live details').forEach(function (details) {
      each(details, details.getAttribute('data-fold') || 'other ' + others++);
    });
  }

  var good = Date.now();
  var out = false;

  // each state that a refresh can be in has a word, so that the page never stops without saying so
  function state() {
    var shown = document.getElementById('state');
    var live = document.getElementById('live');
    var every = live && /every (\d+)s/.exec(live.getAttribute('hx-trigger') || '');
    if (!shown) {
      return;
    }
    if (!every) {
      // a search or an action that is over
      shown.className = 'chip';
      shown.textContent = 'not refreshed';
      document.getElementById('hold').hidden = true;
      return;
    }
    var age = Math.round((Date.now() - good) / 1000);
    var failed = document.querySelector('#live .asof[role]');
    var text = 'live';
    if (out) {
      text = 'signed out';
    } else if (failed || (age > 3 * every[1] && !busy())) {
      text = 'stale for ' + age + ' s';
    } else if (held) {
      text = 'held';
    } else if (busy()) {
      text = textSelected() ? 'held: text is marked' : typing() ? 'held: you are typing' : 'held: you are selecting';
    }
    shown.hidden = false;
    shown.className = 'chip ' + (text === 'live' ? 'good' : text.indexOf('held') === 0 ? 'hold' : 'bad');
    if (shown.textContent !== text) {
      shown.textContent = text;
    }
  }

  function stale(event) {
    var status = event.detail && event.detail.xhr && event.detail.xhr.status;
    out = out || (event.target.id === 'live' && (status === 401 || status === 403));
    var asof = document.querySelector('#live .asof');
    if (event.target.id === 'live' && asof && !asof.hasAttribute('role')) {
      asof.setAttribute('role', 'alert');
      asof.textContent += ': this page could not be refreshed since';
    }
  }

  // what does nothing without scripts is hidden until there are some
  function unhide() {
    list('input[data-all], button.copy').forEach(function (element) { element.hidden = false; });
  }

  var copies = null;

  function copied(button) {
    copies = { button: button, name: button.textContent };
    button.textContent = 'Copied';
  }

  function copy(button) {
    if (copies) {
      copies.button.textContent = copies.name;
      copies = null;
    }
    if (navigator.clipboard) {
      navigator.clipboard.writeText(button.value).then(function () { copied(button); }, function () { copyMarked(button); });
    } else {
      copyMarked(button);
    }
  }

  // browsers have no clipboard object for plain HTTP
  function copyMarked(button) {
    var area = document.createElement('textarea');
    area.value = button.value;
    document.body.appendChild(area);
    area.select();
    if (document.execCommand('copy')) {
      copied(button);
    }
    area.remove();
  }

  document.addEventListener('DOMContentLoaded', function () {
    show();
    unhide();
    state();
    setInterval(state, 1000);
    // of a day that is wider than the window, the present moment
    list('td.now').slice(0, 1).forEach(function (cell) {
      var table = cell.closest('.scroll');
      table.scrollLeft = cell.offsetLeft - table.clientWidth / 2;
    });
  });
  document.addEventListener('keydown', function (event) {
    var field = document.getElementById('q');
    if (event.key === '/' && field && !event.ctrlKey && !event.metaKey && !event.altKey
        && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape' && field) {
      document.getElementById('suggestions').textContent = '';
    }
  });
  ['htmx:sendError', 'htmx:responseError', 'htmx:timeout'].forEach(function (name) {
    document.addEventListener(name, stale);
  });
  document.addEventListener('pointerdown', function (event) {
    pressed = Boolean(event.target.closest('#live'));
  });
  ['pointerup', 'pointercancel', 'dragend'].forEach(function (name) {
    // the click follows the event
    document.addEventListener(name, function () { setTimeout(function () { pressed = false; }); });
  });
  document.addEventListener('click', function (event) {
    if (event.target.matches('button.copy')) {
      copy(event.target);
    }
    if (event.target.id === 'hold') {
      held = !held;
      show();
    }
  });
  document.addEventListener('change', function (event) {
    if (event.target.matches('input[data-all]')) {
      event.target.closest('table').querySelectorAll('input[name=job]').forEach(function (box) {
        box.checked = event.target.checked;
      });
    }
  });
  document.addEventListener('htmx:configRequest', function (event) {
    if (event.target.id === 'live') {
      event.detail.headers['Almanac-Parts'] = Object.keys(parts).join(' ');
    }
  });
  document.addEventListener('htmx:beforeRequest', function (event) {
    if (event.target.id === 'live' && busy()) {
      event.preventDefault();
    }
  });
  document.addEventListener('htmx:beforeSwap', function (event) {
    if (event.target.id === 'live' && event.detail.shouldSwap) {
      event.detail.serverResponse = whole(event.detail.serverResponse);
    }
    if (event.detail.shouldSwap && event.detail.serverResponse.indexOf('id="live"') < 0) {
      // not a page of the console, such as a login page: to swap it would empty this one
      event.detail.shouldSwap = false;
      out = event.target.id === 'live';
      stale(event);
      return;
    }
    if (event.target.id !== 'live') {
      return;
    }
    if (busy()) {
      event.detail.shouldSwap = false;
      return;
    }
    var active = document.activeElement;
    var name = active && document.getElementById('live').contains(active) ? mark(active) : null;
    focus = name && { name: name, place: alike(name).indexOf(active) };
    open = {};
    folds(function (details, fold) { open[fold] = details.open; });
    places = list('#live .scroll').map(function (table) { return table.scrollLeft; });
  });
  document.addEventListener('htmx:afterSwap', function (event) {
    if (event.target.id !== 'live') {
      return;
    }
    good = Date.now();
    out = false;
    state();
    unhide();
    folds(function (details, fold) {
      if (fold in open) {
        details.open = open[fold];
      }
    });
    list('#live .scroll').forEach(function (table, i) { table.scrollLeft = places[i] || 0; });
    var target = focus && alike(focus.name)[focus.place];
    if (target) {
      target.focus({ preventScroll: true });
    }
  });
})();
