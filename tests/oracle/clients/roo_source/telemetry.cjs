module.exports = { TelemetryService: { instance: { captureTaskCompleted() {} } } }
