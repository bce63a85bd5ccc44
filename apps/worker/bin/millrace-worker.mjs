#!/usr/bin/env node
import '../dist/join/main.js';
